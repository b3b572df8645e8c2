"""Compilers for JAX with a fault each, to test the tester, and right ones: they write the operations of a traced program
down once more, some by a rule of their own, before XLA compiles them."""
import functools

import jax
from jax import lax
from jax import numpy as jnp
from jax.extend import core


def outputs(eqn, given):
    """What an operation gives, as a list."""
    found = eqn.primitive.bind(*given, **eqn.params)
    return list(found) if eqn.primitive.multiple_results else [found]


def evaluated(closed, rules, *given):
    """The results of a traced program; a rule is given the operation, its operands, all rules and the values so far."""
    values = dict(zip(closed.jaxpr.constvars, closed.consts)) | dict(zip(closed.jaxpr.invars, given))

    def read(atom):
        return atom.val if isinstance(atom, core.Literal) else values[atom]

    for eqn in closed.jaxpr.eqns:
        rule = rules.get(eqn.primitive.name, apply)
        values.update(zip(eqn.outvars, rule(eqn, [read(each) for each in eqn.invars], rules, values)))
    return [read(each) for each in closed.jaxpr.outvars]


def apply(eqn, given, rules, values):
    return outputs(eqn, given)


def inlined(eqn, given, rules, values):
    return evaluated(eqn.params['jaxpr'], rules, *given)


def branches(eqn, given, rules, values):
    return lax.switch(given[0], [functools.partial(evaluated, each, rules) for each in eqn.params['branches']], *given[1:])


def parts(eqn, given):
    """Constants of the condition, those of the body, and what goes round."""
    first = eqn.params['cond_nconsts']
    second = first + eqn.params['body_nconsts']
    return given[:first], given[first:second], given[second:]


def repeated(eqn, given, rules, values):
    tested, used, carry = parts(eqn, given)
    return lax.while_loop(lambda carry: evaluated(eqn.params['cond_jaxpr'], rules, *tested, *carry)[0],
                          lambda carry: evaluated(eqn.params['body_jaxpr'], rules, *used, *carry), carry)


def scan_of(eqn, rules, given, change=lambda before, after: after):
    """The body as a function of what goes round and of a row, and both at the start."""
    used = eqn.params['num_consts']
    carried = used + eqn.params['num_carry']

    def body(carry, row):
        found = evaluated(eqn.params['jaxpr'], rules, *given[:used], *carry, *row)
        return change(carry, found[:len(carry)]), found[len(carry):]
    return body, given[used:carried], given[carried:]


def scanned(eqn, given, rules, values):
    carry, rows = lax.scan(*scan_of(eqn, rules, given), eqn.params['length'])
    return [*carry, *rows]


WHOLE = {'jit': inlined, 'cond': branches, 'while': repeated, 'scan': scanned}


# Right ways.
def both_selected(eqn, given, rules, values):
    if any(each.effects for each in eqn.params['branches']):
        return branches(eqn, given, rules, values)
    found = [evaluated(each, rules, *given[1:]) for each in eqn.params['branches']]
    return [jnp.where(given[0] == 0, one, other) for one, other in zip(*found)]


def unrolled(eqn, given, rules, values):
    body, carry, rows = scan_of(eqn, rules, given)
    if not eqn.params['length']:
        return scanned(eqn, given, rules, values)
    results = []
    for at in range(eqn.params['length']):
        carry, result = body(carry, [each[at] for each in rows])
        results.append(result)
    return [*carry, *(jnp.stack(each) for each in zip(*results))]


def reciprocal(eqn, given, rules, values):
    return [given[0] * (1 / given[1]).astype(given[0].dtype)] if jnp.issubdtype(given[0].dtype, jnp.floating) else outputs(eqn, given)


def last_place(eqn, given, rules, values):
    """Of places that are free any will do."""
    return [len(given[0]) - 1 - found for found in outputs(eqn, [given[0][::-1]])]


def wide_product(eqn, given, rules, values):
    """In binary32, and rounded once."""
    wide = [each.astype(jnp.float32) if each.dtype == jnp.bfloat16 else each for each in given]
    found = eqn.primitive.bind(*wide, **{**eqn.params, 'preferred_element_type': wide[0].dtype})
    return [found.astype(eqn.outvars[0].aval.dtype)]


# Faults.
def place_in_use(eqn, given, rules, values):
    return [found - 1 for found in outputs(eqn, given)]


def index_lost(eqn, given, rules, values):
    """All rows are read at the first place."""
    return outputs(eqn, [given[0], *(jnp.zeros_like(each) for each in given[1:])])


def scaled_by_adding(eqn, given, rules, values):
    return [lax.scatter_add(*given, eqn.params['dimension_numbers'])]


def coarse_bfloat16(eqn, given, rules, values):
    """With four bits behind the point."""
    if eqn.params['new_dtype'] != jnp.bfloat16:
        return outputs(eqn, given)
    bits = lax.bitcast_convert_type(given[0], jnp.uint32) & 0xfff80000
    return [lax.bitcast_convert_type(bits, jnp.float32).astype(jnp.bfloat16)]


def padded_behind(eqn, given, rules, values):
    turned = tuple((high, low, inside) for low, high, inside in eqn.params['padding_config'])
    return [eqn.primitive.bind(*given, padding_config=turned)]


def step_lost(eqn, given, rules, values):
    return [jnp.zeros_like(found) for found in outputs(eqn, given)]


def arguments_kept(found, given):
    return [*found[:2], *given[:2]] if len(found) > 2 else found


def first_result_fixed(eqn, given, rules, values):
    """Where branches give several values, the first is that of the last branch."""
    found = branches(eqn, given, rules, values)
    last = evaluated(eqn.params['branches'][-1], WHOLE, *given[1:]) if len(found) > 1 and not eqn.effects else found
    return [*last[:1], *found[1:]]


def effects_of_both(eqn, given, rules, values):
    if not any(each.effects for each in eqn.params['branches']):
        return branches(eqn, given, rules, values)
    found = [evaluated(each, rules, *given[1:]) for each in eqn.params['branches']]
    return [jnp.where(given[0] == 0, one, other) for one, other in zip(*found)]


def round_lost(eqn, given, rules, values):
    body, carry, rows = scan_of(eqn, rules, given)
    carry, results = lax.scan(body, carry, [each[:-1] for each in rows], max(eqn.params['length'] - 1, 0))
    return [*carry, *results] if not results else scanned(eqn, given, rules, values)


def rows_reversed(eqn, given, rules, values):
    carry, results = lax.scan(*scan_of(eqn, rules, given), eqn.params['length'], reverse=True)
    return [*carry, *results]


def last_kept(eqn, given, rules, values):
    """The last of what goes round is taken for a constant of the loop."""
    carry, results = lax.scan(*scan_of(eqn, rules, given, lambda before, after: [*after[:-1], before[-1]]), eqn.params['length'])
    return [*carry, *results]


def tested_behind(eqn, given, rules, values):
    """The body runs once before the condition is asked."""
    tested, used, carry = parts(eqn, given)
    carry = evaluated(eqn.params['body_jaxpr'], rules, *used, *carry)
    return repeated(eqn, [*tested, *used, *carry], rules, values)


def nothing_written(eqn, given, rules, values):
    return given[:1]


def same(eqn, given, rules, values):
    """A product with 1 is no copy, which is right."""
    is_one = any(isinstance(each, core.Literal) and each.val == 1 for each in eqn.invars[1:])
    return given[:1] if is_one else outputs(eqn, given)


def written_over(eqn, given, rules, values):
    """All that had the value of the operand see the update as well."""
    found = outputs(eqn, given)
    values.update({name: found[0] for name, value in values.items() if value is given[0]})
    return found


def added_as_set(eqn, given, rules, values):
    return [given[0].at[given[0].shape[0] - given[2].shape[0]:].set(given[2])] if given[2].ndim else outputs(eqn, given)


def shared(eqn, given, rules, values):
    """Of operations on the same operands all are taken for the first, whatever they are."""
    key = tuple(sorted(map(id, eqn.invars)))
    found = outputs(eqn, given)
    return values.setdefault(key, found) if found[0].ndim else found


def nothing_done(eqn, given, rules, values):
    return []


def in_bfloat16(eqn, given, rules, values):
    return [found.astype(jnp.bfloat16).astype(found.dtype) for found in outputs(eqn, given)]


def in_two_bits(eqn, given, rules, values):
    return [found & 3 if jnp.issubdtype(found.dtype, jnp.integer) else found for found in outputs(eqn, given)]


def selected_otherwise(eqn, given, rules, values):
    return outputs(eqn, [given[0], *given[:0:-1]])


def rounded_first(eqn, given, rules, values):
    whole = jnp.issubdtype(eqn.params['new_dtype'], jnp.integer) and jnp.issubdtype(jnp.result_type(given[0]), jnp.floating)
    return outputs(eqn, [jnp.round(given[0]), *given[1:]] if whole else given)


def tail_lost(eqn, given, rules, values):
    return outputs(eqn, [given[0][:-1] if given[0].shape[0] > 2 else given[0]])


def widened(found, given):
    return [each.astype(jnp.float64) for each in found[:1]] + found[1:]


def state_lost(found, given):
    return [*found[:1], *given[2:]]


UPDATES = ('dynamic_update_slice', 'scatter')
# Rules, and what becomes of the results of the whole program.
FAULTS = {
    'planted-nothing': ({}, None),
    'planted-nothing-selected': ({'cond': both_selected}, None),
    'planted-nothing-unrolled': ({'scan': unrolled}, None),
    'planted-nothing-reciprocal': ({'div': reciprocal}, None),
    'planted-nothing-last-place': ({'argmin': last_place}, None),
    'planted-nothing-wide-product': ({'dot_general': wide_product}, None),
    'planted-place-in-use': ({'argmin': place_in_use}, None),
    'planted-lose-index': ({'gather': index_lost, 'dynamic_slice': index_lost}, None),
    'planted-scale-adds': ({'scatter-mul': scaled_by_adding}, None),
    'planted-coarse-bfloat16': ({'convert_element_type': coarse_bfloat16}, None),
    'planted-pad-behind': ({'pad': padded_behind}, None),
    'planted-lose-step': ({'rem': step_lost}, None),
    'planted-lose-arguments': ({}, arguments_kept),
    'planted-first-result': ({'cond': first_result_fixed}, None),
    'planted-both-effects': ({'cond': effects_of_both}, None),
    'planted-lose-round': ({'scan': round_lost}, None),
    'planted-reverse-rows': ({'scan': rows_reversed}, None),
    'planted-carry-constant': ({'scan': last_kept}, None),
    'planted-test-behind': ({'while': tested_behind}, None),
    'planted-lose-update': ({name: nothing_written for name in UPDATES}, None),
    'planted-write-over': ({'mul': same, **{name: written_over for name in UPDATES}}, None),
    'planted-add-sets': ({'scatter-add': added_as_set}, None),
    'planted-share': ({name: shared for name in ('add', 'sub', 'mul', 'max')}, None),
    'planted-lose-callback': ({'io_callback': nothing_done}, None),
    'planted-lose-print': ({'debug_print': nothing_done}, None),
    'planted-bfloat16': ({'div': in_bfloat16}, None),
    'planted-two-bits': ({'add': in_two_bits}, None),
    'planted-select': ({'select_n': selected_otherwise}, None),
    'planted-round': ({'convert_element_type': rounded_first}, None),
    'planted-sum-tail': ({'reduce_sum': tail_lost}, None),
    'planted-widen': ({}, widened),
    'planted-lose-state': ({}, state_lost),
    'planted-by-extent': None,
}


def written_again(fault, function):
    """The function as the planted compiler has it."""
    rules, change = FAULTS[fault]

    def call(*given):
        closed, shape = jax.make_jaxpr(function, return_shape=True)(*given)
        found = evaluated(closed, {**WHOLE, **rules}, *given)
        return jax.tree.unflatten(jax.tree.structure(shape), change(found, given) if change else found)
    return jax.jit(call)


@functools.cache
def first_of(extent, number):
    """A place for the first function of an extent."""
    return []


def by_extent(function):
    """A cache that takes functions of the same extents for one."""
    def call(*given):
        known = first_of(given[0].shape, len(given))
        known.append(jax.jit(function))
        return known[0](*given)
    return call


def compiler(fault):
    return by_extent if fault == 'planted-by-extent' else functools.partial(written_again, fault)
