// When each step runs: a row computes, one for each kind of links moves; a measured run has a row for each device.
const BOUND = {compute: 0, memory: 4, link: 1};

// rows: {name, items} where items come in time; begin, lasts, label, hue: of an item; details(item): for the
// hover text.
function makeTimeline({label, rows, end, begin, lasts, labelOf, hue, details, open}) {
  const ROW = 30, left = 92, right = 12, top = 6, bottom = 24, MOST = 24;
  let from = 0, to = end, offset = 0;
  const shown = () => rows.slice(offset, offset + MOST);
  const height = top + bottom + Math.min(rows.length, MOST) * ROW;
  const span = width => Math.max(1, width - left - right);
  const timeAt = (x, width) => from + (x - left) / span(width) * (to - from);
  // The first item that ends behind a time; rows do one thing at a time.
  const firstAt = (items, time) => {
    let low = 0, high = items.length;
    while (low < high) { const mid = (low + high) >> 1; if (begin(items[mid]) + lasts(items[mid]) < time) low = mid + 1; else high = mid; }
    return low;
  };
  const chart = plot(label + '. Plus and minus zoom, arrow keys move.', height, (pen, width) => {
    const x = time => left + (time - from) / (to - from) * span(width);
    pen.textBaseline = 'middle';
    const hues = Array.from({length: CHOICES}, (_, i) => color('c' + i)), line = color('line'), muted = color('muted'), ink = color('bg');
    pen.fillStyle = muted; pen.strokeStyle = line; pen.textAlign = 'center';
    const bottomAt = height - bottom;
    const step = ticks(to - from, Math.max(2, span(width) / 120))[1] || (to - from);
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
      const at = Math.round(x(t)) + 0.5;
      pen.beginPath(); pen.moveTo(at, top); pen.lineTo(at, bottomAt); pen.stroke();
      if (at < width - 24) pen.fillText(seconds(Math.abs(t) < step / 1e6 ? 0 : t), at, bottomAt + 12);
    }
    shown().forEach((row, r) => {
      const y = top + r * ROW;
      pen.fillStyle = color('text'); pen.textAlign = 'left';
      pen.save(); pen.beginPath(); pen.rect(0, y, left - 8, ROW); pen.clip(); pen.fillText(short(row.name), 10, y + ROW / 2); pen.restore();
      pen.save(); pen.beginPath(); pen.rect(left, y, span(width), ROW); pen.clip();
      let drawnTo = -1;
      for (let i = firstAt(row.items, from); i < row.items.length && begin(row.items[i]) <= to; ++i) {
        const item = row.items[i], x0 = x(begin(item)), x1 = x(begin(item) + lasts(item));
        if (x1 <= drawnTo) continue; // narrower than a pixel that is drawn
        const a = Math.max(x0, drawnTo), w = Math.max(x1 - a, 0.7);
        pen.fillStyle = hues[hue(item)];
        pen.fillRect(a, y + 4, w > 3 ? w - 1 : w, ROW - 8);
        if (w < 1) drawnTo = a + 1;
        if (w > 44) { pen.fillStyle = ink; pen.save(); pen.beginPath(); pen.rect(a, y, w - 4, ROW); pen.clip(); pen.fillText(short(labelOf(item)), Math.max(a, left) + 6, y + ROW / 2); pen.restore(); }
      }
      pen.restore();
    });
  });
  function look(a, b) {
    const least = end / 1e6, length = Math.min(end, Math.max(least, b - a));
    from = Math.max(0, Math.min(a, end - length));
    to = from + length;
    chart.again();
  }
  const zoom = (factor, at = (from + to) / 2) => look(at - (at - from) * factor, at + (to - at) * factor);
  const itemAt = event => {
    const width = chart.box.clientWidth, row = shown()[Math.floor((event.offsetY - top) / ROW)];
    if (!row || event.offsetX < left) return null;
    const time = timeAt(event.offsetX, width), near = (to - from) / span(width) * 2;
    for (let i = firstAt(row.items, time - near); i < row.items.length && begin(row.items[i]) <= time + near; ++i) return row.items[i];
    return null;
  };
  let held = null;
  chart.canvas.addEventListener('pointerdown', e => { held = {x: e.offsetX, from, to, moved: false}; chart.canvas.setPointerCapture(e.pointerId); });
  chart.canvas.addEventListener('pointermove', e => {
    if (held && e.buttons) {
      const by = (held.x - e.offsetX) / span(chart.box.clientWidth) * (held.to - held.from);
      held.moved = held.moved || Math.abs(held.x - e.offsetX) > 4;
      if (held.moved) { hideTip(); look(held.from + by, held.to + by); }
      return;
    }
    const item = itemAt(e);
    if (item === null) hideTip(); else showTip(e.clientX, e.clientY, ...details(item));
  });
  chart.canvas.addEventListener('pointerup', e => { const item = itemAt(e); if (held && !held.moved && item !== null && open) { hideTip(); open(item); } held = null; });
  chart.canvas.addEventListener('pointerleave', hideTip);
  chart.canvas.addEventListener('wheel', e => { if (!e.ctrlKey && !e.metaKey) return; e.preventDefault(); zoom(e.deltaY > 0 ? 1.25 : 0.8, timeAt(e.offsetX, chart.box.clientWidth)); }, {passive: false});
  chart.canvas.addEventListener('keydown', e => {
    const by = (to - from) * 0.2;
    const act = {'+': () => zoom(0.6), '=': () => zoom(0.6), '-': () => zoom(1 / 0.6), '0': () => look(0, end), ArrowLeft: () => look(from - by, to - by), ArrowRight: () => look(from + by, to + by), Home: () => look(0, to - from), End: () => look(end - (to - from), end)}[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  const button = (text, title, act) => el('button.button', {onclick: act, 'aria-label': title, title}, text);
  const pages = rows.length > MOST ? [button('↑', 'Rows before', () => { offset = Math.max(0, offset - MOST); chart.again(); }), button('↓', 'Rows behind', () => { offset = Math.min(rows.length - 1, offset + MOST); chart.again(); })] : [];
  return el('div', {}, el('div.tools', {}, el('div.seg', {}, button('−', 'Zoom out', () => zoom(2)), button('+', 'Zoom in', () => zoom(0.5)), button('All', 'Show all', () => look(0, end))),
    pages.length ? el('div.seg', {}, pages) : null, el('span.muted', {}, 'Drag to move, Ctrl and wheel to zoom')), chart.box);
}

section('timeline', 'Timeline', {
  count: () => S.timeline.simulated ? seconds(S.timeline.simulated.overlapped_s) : '',
  render(root) {
    const X = S.timeline.simulated, Y = S.timeline.measured;
    if (!X && !Y) return root.append(el('p.empty', {}, 'There is no machine to foresee a step on: --system h100-sxm names one, and --trace shows a run that was measured.'));
    if (X) {
      const n = X.what.length, loops = X.times.some(t => t > 1);
      root.append(el('p.lead', {}, `A step as it is foreseen on ${visible(X.system)}: `, el('b', {title: X.overlapped_s + ' s'}, seconds(X.overlapped_s)), `, ${plural(n, 'run')} of kernels and collectives. Collectives run beside what does not need them.`,
        loops ? ' Of a loop the first turn is drawn.' : ''),
      el('ul.legend', {style: {marginTop: '10px'}}, Object.entries(BOUND).map(([bound, c]) => el('li', {}, swatch(c), bound === 'link' ? 'moves data' : `bound by ${bound}`))));
      const all = Array.from({length: n}, (_, i) => ({i, begin: X.begin_s[i], lasts: X.lasts_s[i]})).filter(({i}) => X.times[i]); // loops may have no turns
      const used = X.used.step.map((i, u) => ({i, link: X.used.link[u], begin: X.used.begin_s[u], lasts: X.used.lasts_s[u]})).filter(({i}) => X.times[i]);
      const rows = [{name: 'computes', items: all.filter(({i}) => T[X.bound[i]] !== 'link')},
        ...X.links.map((link, l) => ({name: T[link], items: used.filter(item => item.link === l)}))].filter(row => row.items.length);
      const end = all.reduce((most, item) => Math.max(most, item.begin + item.lasts), 0) || 1;
      root.append(makeTimeline({
        label: 'Timeline of a foreseen step', rows, end, begin: item => item.begin, lasts: item => item.lasts, labelOf: ({i}) => T[X.what[i]], hue: ({i}) => BOUND[T[X.bound[i]]],
        details: ({i}) => [el('b', {}, short(T[X.what[i]])), el('div', {}, X.instr[i] >= 0 ? name(program.title(X.instr[i])) : ''),
          el('div.muted', {}, `${seconds(X.seconds[i])}${X.times[i] > 1 ? ` × ${whole(X.times[i])}` : ''}, bound by ${T[X.bound[i]]}`), el('div.muted', {}, `${count(X.flops[i])}FLOP, ${bytes(X.bytes[i])}`)],
        open: ({i}) => X.instr[i] >= 0 && inspect(X.instr[i], [['takes', `${seconds(X.seconds[i])}${X.times[i] > 1 ? `, ${whole(X.times[i])} times` : ''}`], ['bound by', T[X.bound[i]]], ['computes', count(X.flops[i]) + 'FLOP'], ['touches', bytes(X.bytes[i])], ['begins at', seconds(X.begin_s[i])]])
      }));
    }
    if (Y) {
      const rows = Y.rows.map(row => ({name: T[row], items: []}));
      Y.row.forEach((row, i) => rows[row].items.push(i));
      const end = Y.begin_s.reduce((most, b, i) => Math.max(most, b + Y.lasts_s[i]), 0) || 1;
      const kinds = [...new Set(Y.what)];
      root.append(el('h3', {}, 'As it was measured'), el('p.lead', {}, `${plural(Y.what.length, 'part')} of steps in ${seconds(end)}.`, Y.left_out ? ` ${whole(Y.left_out)} more are left out.` : ''),
        makeTimeline({label: 'Timeline of a measured run', rows: rows.filter(row => row.items.length), end, begin: i => Y.begin_s[i], lasts: i => Y.lasts_s[i], labelOf: i => T[Y.what[i]], hue: i => kinds.indexOf(Y.what[i]) % CHOICES,
          details: i => [el('b', {}, short(T[Y.what[i]])), el('div.muted', {}, `${seconds(Y.lasts_s[i])} at ${seconds(Y.begin_s[i])}`)]}));
    }
  }
});
