// The actions in their order, and how to make this page again.
section('again', 'Actions', {
  render(root) {
    const A = S.again, copy = (text, what) => el('button.button', {onclick: event => {
      const say = done => { event.target.textContent = done ? 'Copied' : 'Cannot copy here'; };
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say(true), () => say(false)); else say(false);
    }}, 'Copy ' + what);
    if (A.command) root.append(el('h3', {}, 'This page again'), el('pre', {tabindex: 0}, visible(A.command)), el('div.tools', {}, copy(A.command, 'command')));
    // Number 0 stands for the annotations of the module.
    const lines = A.action.map((text, i) => ({text: T[text], where: T[A.where[i]]})).slice(1);
    root.append(el('h3', {}, 'Actions, in their order'));
    if (!lines.length) return root.append(el('p.empty', {}, 'No action tiles anything.'));
    const spec = (S.verdict.mesh.axes.length ? `mesh ${S.verdict.mesh.axes.filter(a => a.length === 2).map(([axis, n]) => `${axis}=${n}`).join(', ')}\n` : '') + lines.map(line => line.text + (line.where ? `  # ${line.where}` : '')).join('\n');
    root.append(el('pre', {tabindex: 0}, spec.split('\n').map(visible).join('\n')), el('div.tools', {}, copy(spec, 'actions')));
  }
});
