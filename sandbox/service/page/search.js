import { html, useEffect, useLayoutEffect, useRef, useState } from './preact.js';

const typingMs = 250;

/** A field that searches when typing stops. */
export function Search({ label, value = '', onSearch }) {
	const [text, setText] = useState(value);
	const timer = useRef();
	// Before anybody can type: an effect that comes later would take away what was typed by then.
	useLayoutEffect(() => setText(value), [value]);
	useEffect(() => () => clearTimeout(timer.current), []);
	const type = ({ target }) => {
		setText(target.value);
		clearTimeout(timer.current);
		timer.current = setTimeout(() => onSearch(target.value.trim()), typingMs);
	};
	return html`
		<label>
			${label}
			<input type="search" value=${text} onInput=${type} autocomplete="off" spellcheck=${false} />
		</label>
	`;
}
