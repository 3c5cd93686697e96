/** Runs in the page, so it can use nothing from outside: the drawn wires against the drawn nodes, names and notes. */
function lookAtCanvas() {
	const STEP = 3;
	const all = (selector, within = document) => [...within.querySelectorAll(selector)];
	const overlap = (one, other) =>
		one.left < other.right &&
		other.left < one.right &&
		one.top < other.bottom &&
		other.top < one.bottom;
	const contains = (outer, inner) =>
		outer.left <= inner.left &&
		outer.top <= inner.top &&
		outer.right >= inner.right &&
		outer.bottom >= inner.bottom;
	/** Of the text alone, without the room around it. */
	const ofText = (element) => {
		const range = document.createRange();
		range.selectNodeContents(element);
		return range.getBoundingClientRect();
	};

	const drawn = all('.vue-flow__node > [data-node-type]');
	const isNote = (node) => node.dataset.nodeType === 'n8n-nodes-base.stickyNote';
	const nodes = drawn
		.filter((node) => !isNote(node))
		.map((node) => {
			const name = node.dataset.nodeName;
			const label = all('*', node)
				.filter((each) => each.textContent?.trim() === name)
				.at(-1);
			const body = node.querySelector('[data-test-id^="canvas-"][data-test-id$="-node"]') ?? node;
			return { name, label: ofText(label), box: body.getBoundingClientRect() };
		});
	const notes = drawn.filter(isNote).map((node) => {
		const texts = all('h1, h2, h3, p, li, td, pre', node);
		const box = all('[data-test-id="sticky"]', node)[0].getBoundingClientRect();
		return { name: node.dataset.nodeName, box, texts: texts.map(ofText) };
	});

	const faults = new Set();
	// What a model uses is drawn as a fan, whose lines may cross.
	for (const group of all('[data-id*="/main/"] [data-test-id="edge"]')) {
		const { sourceNodeName: from, targetNodeName: to } = group.dataset;
		for (const path of all('.vue-flow__edge-path', group)) {
			const toScreen = path.getScreenCTM();
			for (let at = 0; at <= path.getTotalLength(); at += STEP) {
				const { x, y } = path.getPointAtLength(at).matrixTransform(toScreen);
				const point = { left: x, right: x, top: y, bottom: y };
				for (const { name, label, box } of nodes) {
					if (contains(label, point)) {
						faults.add(`the wire from ${from} to ${to} crosses the name of ${name}`);
					}
					if (name !== from && name !== to && contains(box, point)) {
						faults.add(`the wire from ${from} to ${to} crosses ${name}`);
					}
				}
				for (const { name, texts } of notes) {
					if (texts.some((text) => contains(text, point))) {
						faults.add(`the wire from ${from} to ${to} crosses the text of the note ${name}`);
					}
				}
			}
		}
	}
	for (const [at, { name, label, box }] of nodes.entries()) {
		for (const other of nodes.slice(at + 1)) {
			const isOver = [label, box].some((mine) =>
				[other.label, other.box].some((its) => overlap(mine, its)),
			);
			if (isOver) faults.add(`${name} and ${other.name} overlap`);
		}
		for (const note of notes) {
			if (note.texts.some((text) => overlap(text, box) || overlap(text, label))) {
				faults.add(`${name} covers the text of the note ${note.name}`);
			}
			if (overlap(note.box, box) && !contains(note.box, label)) {
				faults.add(`${name} is not all in the area ${note.name}`);
			}
		}
	}
	for (const [at, { name, box, texts }] of notes.entries()) {
		if (texts.some((text) => !contains(box, text))) faults.add(`the note ${name} is too small`);
		for (const other of notes.slice(at + 1)) {
			if (overlap(box, other.box)) faults.add(`the notes ${name} and ${other.name} overlap`);
		}
	}
	const pane = document.querySelector('.vue-flow__transformationpane');
	return { faults: [...faults], scale: new DOMMatrix(getComputedStyle(pane).transform).a };
}

lookAtCanvas();
