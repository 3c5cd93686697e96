import { markOf, useChangedRows } from './changes.js';
import { html, useState } from './preact.js';
import { hashOf } from './route.js';
import { asNumber, isWebAddress, spoken } from './words.js';

/** The look of a word of the API; any other word is neutral. */
const looks = {
	good: ['connected', 'completed', 'succeeded', 'active', 'clean', 'up', 'delivered', 'opened'],
	busy: ['initializing', 'running', 'in_progress', 'waiting', 'queued', 'syncing'],
	warning: ['disconnected', 'aborted', 'suspended'],
	bad: ['failed', 'hacked', 'down', 'bounced', 'rejected'],
};
const lookOf = (word) => Object.keys(looks).find((look) => looks[look].includes(word)) ?? 'neutral';

export const Badge = ({ word, look = lookOf(word), children }) =>
	html`<span class="badge ${look}">${children ?? spoken(word)}</span>`;

/** A link to an address of a record, or only its text if it is not an address of the web. */
export const WebLink = ({ url, children = url }) =>
	isWebAddress(url)
		? html`<a href=${url} target="_blank" rel="noreferrer noopener">${children}</a>`
		: html`<span>${children}</span>`;

/** What went wrong, in words. */
export const Problem = ({ error }) =>
	error && html`<p class="problem" role="alert">${error.message}</p>`;

export const Nothing = ({ children }) => html`<p class="quiet nothing">${children}</p>`;

/**
 * Rows as a table, or as cards where it is narrow. A column is `[name, cell of a row]`. With a `noun` for a row, those
 * of the same `list` that change are marked.
 */
export function Table({ label, columns, rows, isBusy, none = 'None yet.', list, noun }) {
	const changed = useChangedRows(noun && rows, { list, noun });
	return rows?.length === 0
		? html`<${Nothing}>${none}<//>`
		: html`<div class="scrolling" aria-busy=${isBusy || !rows ? 'true' : 'false'}>
				<table class="cards" aria-label=${label}>
					<thead>
						<tr>
							${columns.map(([name]) => html`<th scope="col" key=${name}>${name}</th>`)}
						</tr>
					</thead>
					<tbody>
						${rows?.map(
							(row) => html`
								<tr key=${row.id} class=${markOf(changed.has(row.id))}>
									${columns.map(
										([name, cell]) => html`<td key=${name} data-label=${name}>${cell(row)}</td>`,
									)}
								</tr>
							`,
						)}
					</tbody>
				</table>
			</div>`;
}

/** Links to the pages of a list; `meta` is that of its answer, `name` that of the page in the address. */
export function Pager({ label, meta, path, query = {}, name = 'page' }) {
	const { page, perPage, totalPages, totalItems } = meta?.pagination ?? {};
	if (!totalItems) return undefined;
	const to = (number, text, rel) =>
		number >= 1 && number <= totalPages
			? html`<a href=${hashOf(path, { ...query, [name]: number })} rel=${rel}>${text}</a>`
			: html`<span class="quiet" aria-hidden="true">${text}</span>`;
	const first = (page - 1) * perPage + 1;
	const last = Math.min(page * perPage, totalItems);
	return html`
		<nav class="pager" aria-label=${`Pages of ${label}`}>
			${to(page - 1, '← Previous', 'prev')}
			<span>
				${first > totalItems ? 'None' : `${asNumber(first)} – ${asNumber(last)}`}${' of '}
				${asNumber(totalItems)}
			</span>
			${to(page + 1, 'Next →', 'next')}
		</nav>
	`;
}

export const ProgressBar = ({ percent, label }) => html`
	<span class="progress">
		<progress value=${percent} max="100" aria-label=${label}></progress>
		<span>${percent} %</span>
	</span>
`;

/** A choice of one word, or of none. */
export const Choice = ({ label, value = '', options, all, onChange }) => html`
	<label>
		${label}
		<select value=${value} onChange=${({ target }) => onChange(target.value)}>
			<option value="">${all}</option>
			${options.map(
				([word, text = spoken(word)]) =>
					html`<option key=${word} value=${word} selected=${word === value}>${text}</option>`,
			)}
		</select>
	</label>
`;

/** A text with a button that copies it. */
export function Copyable({ text, label }) {
	const [said, say] = useState('');
	const copy = async () => {
		say((await copied(text)) ? 'Copied' : 'Could not be copied: select the text instead');
	};
	return html`
		<span class="line">
			<code class="address">${text}</code>
			<button type="button" class="secondary small" onClick=${copy} onBlur=${() => say('')}>
				${label}
			</button>
			<span role="status" class="quiet">${said}</span>
		</span>
	`;
}

/** Puts a text on the clipboard, which browsers offer only in a secure context; elsewhere as a selection is copied. */
async function copied(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const focused = document.activeElement;
		const field = document.createElement('textarea');
		field.value = text;
		field.className = 'unseen';
		document.body.append(field);
		field.select();
		const isDone = document.execCommand('copy');
		field.remove();
		focused?.focus();
		return isDone;
	}
}
