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
/* A figure of class chart is drawn from its table by Chart.js, where that is there. */
const drawn = [];
const put_colours = chart => {
  const style = getComputedStyle(document.body), of = name => style.getPropertyValue(name).trim(), {x, y} = chart.options.scales;
  chart.data.datasets[0].backgroundColor = chart.canvas.wrong.map(wrong => of(wrong ? '--wrong' : '--plain'));
  chart.data.datasets[0].borderColor = of('--plain');
  for (const axis of [x, y]) {
    axis.ticks.color = axis.title.color = of('--ink');
    axis.grid.color = of('--rule');
  }
};
const draw = figure => {
  const table = figure.querySelector('table'), rows = [...table.rows].slice(1), line = figure.dataset.kind === 'line';
  const frame = document.createElement('div'), canvas = document.createElement('canvas'), fold = document.createElement('details');
  frame.className = 'canvas';
  canvas.wrong = rows.map(row => row.className === 'bad');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', figure.querySelector('figcaption').textContent + ': the numbers are in the table below');
  frame.append(canvas);
  table.replaceWith(frame, fold);
  fold.innerHTML = '<summary>numbers</summary>';
  fold.append(table);
  const axis = (column, more) => ({title: {display: true, text: table.rows[0].cells[column].textContent}, ticks: {}, grid: {}, ...more});
  const cells = column => rows.map(row => row.cells[column].textContent);
  const chart = new Chart(canvas, {
    type: figure.dataset.kind,
    data: {labels: cells(0), datasets: [{data: cells(1).map(line ? Number : text => Number(text) || null), minBarLength: 1, pointRadius: 3, clip: false}]},
    options: {
      animation: false,
      maintainAspectRatio: false,
      plugins: {legend: {display: false}},
      scales: {x: axis(0, {grid: {display: line}}), y: axis(1, {beginAtZero: true, ticks: {precision: 0, maxTicksLimit: 6}})},
    },
  });
  put_colours(chart);
  chart.update();
  drawn.push(chart);
};
/* Many are drawn when they come into sight. */
const draw_all = figures => {
  const FEW = 12;
  if (figures.length <= FEW) {
    figures.forEach(draw);
    return;
  }
  const sight = new IntersectionObserver(entries => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        sight.unobserve(entry.target);
        draw(entry.target);
      }
  }, {rootMargin: '400px'});
  figures.forEach(figure => sight.observe(figure));
};
if (window.Chart) {
  draw_all([...document.querySelectorAll('figure.chart')]);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const chart of drawn) {
      put_colours(chart);
      chart.update();
    }
  });
}
