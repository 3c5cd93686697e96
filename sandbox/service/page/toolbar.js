import { html, useEffect, useRef } from './preact.js';

const steps = { ArrowRight: 1, ArrowLeft: -1 };

/** Links and choices that are one stop of the Tab key: the arrow keys, Home and End move between them. */
export function Toolbar({ label, look, children }) {
	const bar = useRef();
	const last = useRef();
	const items = () => [...bar.current.querySelectorAll('a[href], button, select')];
	const letIn = (chosen) => {
		for (const item of items()) item.tabIndex = item === chosen ? 0 : -1;
	};
	useEffect(() => {
		const all = items();
		const current = all.find((item) => item.hasAttribute('aria-current'));
		letIn(all.includes(last.current) ? last.current : (current ?? all[0]));
	});
	const focused = ({ target }) => {
		last.current = target;
		letIn(target);
	};
	const move = (event) => {
		const all = items();
		const from = all.indexOf(event.target);
		const to = { Home: 0, End: all.length - 1 }[event.key] ?? from + steps[event.key];
		if (Number.isNaN(to)) return;
		event.preventDefault();
		all.at(to % all.length).focus();
	};
	return html`
		<div
			ref=${bar}
			role="toolbar"
			aria-label=${label}
			class=${look}
			onfocusin=${focused}
			onKeyDown=${move}
		>
			${children}
		</div>
	`;
}
