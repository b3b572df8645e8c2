/* The headings of a table of class sort order its rows; a field before it filters them where there are many. */
for (const table of document.querySelectorAll('table.sort')) {
  const rows = [...table.rows].slice(1), field = document.createElement('input');
  field.placeholder = 'filter';
  field.setAttribute('aria-label', 'filter');
  if (rows.length > 8)
    table.before(field);
  field.oninput = () => {
    const wanted = field.value.toLowerCase();
    for (const row of rows)
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
  };
  [...table.rows[0].cells].forEach((heading, column) => {
    let direction = 1;
    heading.style.cursor = 'pointer';
    heading.onclick = () => {
      const key = row => row.cells[column] ? row.cells[column].textContent : '';
      direction = -direction;
      rows.sort((a, b) => direction * key(b).localeCompare(key(a), undefined, {numeric: true}));
      for (const row of rows)
        row.parentNode.append(row);
    };
  });
}
/* A button copies what an element of class copy holds. */
for (const text of document.querySelectorAll('pre.copy')) {
  const button = document.createElement('button');
  button.textContent = 'copy';
  button.onclick = () => navigator.clipboard.writeText(text.textContent);
  const frame = document.createElement('div');
  frame.className = 'copied';
  text.replaceWith(frame);
  frame.append(text, button);
}
/* A link to a folded section opens it. */
const unfold = () => {
  const place = document.getElementById(location.hash.slice(1));
  if (place && place.tagName === 'DETAILS')
    place.open = true;
};
addEventListener('hashchange', unfold);
unfold();
