// The answer first: fits or not, how long, how much; then what it is made of and what costs most.
section('verdict', 'Verdict', {
  render(root) {
    const V = S.verdict, E = V.estimate, moves = Object.values(V.executed).reduce((a, b) => a + b, 0);
    const failed = V.expectations.filter(e => !e.holds);
    const where = [plural(V.mesh.devices, 'device'), V.mesh.axes.length ? [' as ', name(V.mesh_text)] : null];
    root.append(
      el('h1', {}, any(V.title), ' · ', plural(V.ops, 'op'), ' on ', where, E ? [' · ', any(E.system)] : null),
      el('p.answer', {}, E ? [el('span.' + (E.fits ? 'good' : 'bad'), {}, E.fits ? 'It fits.' : 'It does not fit.'), ` ${seconds(E.time_ms.overlapped / 1e3)} a step.`]
        : moves === 0 ? 'Nothing moves between devices.' : `${bytes(V.bytes_received.max)} a step reach the busiest device.`),
      failed.length ? el('p', {style: {marginTop: '12px'}}, el('span.tag.bad', {}, `${plural(failed.length, 'expectation')} ${failed.length === 1 ? 'fails' : 'fail'}`)) : '');

    const tile = (title, value, exact, below) => el('div.tile', {}, el('dt', {}, title), el('dd', {}, figure(value, exact), el('small', {}, below)));
    const kinds = Object.entries(V.executed).filter(([, n]) => n).map(([kind, n]) => `${whole(n)} ${kind}`).join(', ');
    const peak = E ? E.peak_bytes : V.peak_bytes;
    root.append(el('dl.tiles', {},
      E ? tile('Time a step', seconds(E.time_ms.overlapped / 1e3), E.time_ms.overlapped + ' ms', `${seconds(E.time_ms.serial / 1e3)} one thing after the other`) : null,
      tile('Memory a device', bytes(peak), exactly(peak), E ? `${percent(E.peak_bytes / E.cap_bytes)} of ${bytes(E.cap_bytes)}` : 'at its peak'),
      tile('Received a step', bytes(V.bytes_received.max), exactly(V.bytes_received.max), `by the busiest device; ${bytes(V.bytes_received.mean)} on average`),
      tile('Collectives a step', whole(moves), kinds, kinds || 'none')));

    if (E) {
      const parts = [['computing', E.compute_ms, 0], ['memory', E.memory_bound_ms, 4], ['communication', E.communication_ms, 1]];
      const all = parts.reduce((sum, [, ms]) => sum + ms, 0) || 1;
      root.append(el('div.two', {}, el('div', {}, el('h3', {}, 'Where the time goes'),
        el('div.bar', {role: 'img', 'aria-label': parts.map(([what, ms]) => `${what} ${percent(ms / all)}`).join(', ')},
          parts.map(([, ms, c]) => el('span', {style: {width: ms / all * 100 + '%', background: `var(--c${c})`}}))),
        el('ul.legend', {}, parts.map(([what, ms, c]) => el('li', {}, swatch(c), what, ' ', el('b', {title: ms + ' ms'}, seconds(ms / 1e3))))),
        Object.values(E.by_axis_ms).some(ms => ms > 0) ? el('p.muted', {style: {fontSize: '13px', marginTop: '4px'}}, 'Communication over ',
          Object.entries(E.by_axis_ms).filter(([, ms]) => ms > 0).map(([axis, ms], i) => [i ? ', ' : '', name(axis), ' ', seconds(ms / 1e3)])) : null),
      el('div', {}, el('h3', {}, 'What fills the memory'), memoryBar())));
    }
    if (V.costs.length)
      root.append(el('h3', {}, 'What costs most, and what to do'), el('ol.costs', {}, V.costs.map(c => el('li', {},
        el('div', {}, el('div.what', {}, any(c.what)), el('div.why', {}, any(c.why)), el('div.todo', {}, any(c.todo))),
        el('div.share', {}, percent(c.weight), el('a', {href: '#' + c.section}, 'show'))))));
    if (V.expectations.length)
      root.append(el('h3', {}, 'Expectations'), el('ul.list', {}, V.expectations.map(e => el('li.' + (e.holds ? 'ok' : 'no'), {},
        el('span', {style: {position: 'absolute', left: '-9999px'}}, e.holds ? 'holds: ' : 'fails: '), name(e.text), ' ',
        el('span.muted', {}, `found ${e.found_text} · `, any(brief(e.line)))))));
    const notes = [...(E ? E.notes : []), ...V.notes];
    if (!E) notes.unshift('No machine was named: with --system h100-sxm, or your own file, this page has time, capacity and a timeline.');
    if (notes.length) root.append(el('h3', {}, 'Worth knowing'), el('ul.list', {}, notes.map(n => el('li', {}, any(n)))));
  }
});

// What is held at the peak, by what it is for.
function memoryBar() {
  const parts = roleOrder().map((role, i) => [role, peakByRole().get(role) || 0, i]).filter(([, n]) => n > 0);
  const all = parts.reduce((sum, [, n]) => sum + n, 0) || 1;
  return [el('div.bar', {role: 'img', 'aria-label': parts.map(([role, n]) => `${role} ${bytes(n)}`).join(', ')},
    parts.map(([role, n]) => el('span', {style: {width: n / all * 100 + '%', background: `var(--c${roleColor(role)})`}}))),
  el('ul.legend', {}, parts.map(([role, n]) => el('li', {}, swatch(roleColor(role)), roleName(role), ' ', el('b', {title: exactly(n)}, bytes(n)))))];
}
