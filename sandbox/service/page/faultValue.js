import { html } from './preact.js';
import { spoken } from './words.js';

/** What people call the properties that many faults share. */
const labels = {
	next: 'Number of next requests',
	rate: 'Share of requests (0 to 1)',
	method: 'Method',
	path: 'Path starts with',
	ms: 'Milliseconds',
	upTo: 'At most (milliseconds)',
	to: 'Target address',
	status: 'Status',
	only: 'Only this difference',
};

/** The value that a field starts with: for a number one that makes a visible difference. */
const startOf = ({ type, enum: words, minimum }) =>
	words?.[0] ?? (type === 'integer' ? Math.max(1000, minimum ?? 0) : '');

/** The value of a fault when it is switched on for the first time. */
export function valueOf({ type, enum: words, properties = {}, required = [] }) {
	if (type === 'boolean') return true;
	if (type !== 'object') return words?.[0];
	return Object.fromEntries(required.map((name) => [name, startOf(properties[name])]));
}

/** Fields for the value of a fault, as its JSON schema describes it. */
export function FaultValue({ name, schema, value, onChange }) {
	if (schema.type === 'boolean') return undefined;
	if (schema.type !== 'object') {
		return html`
			<${Field}
				label="Kind"
				id=${name}
				schema=${schema}
				value=${value}
				isNeeded=${true}
				onChange=${onChange}
			/>
		`;
	}
	const { properties, required = [] } = schema;
	const change = (property, chosen) => {
		const { [property]: _before, ...others } = value;
		onChange(chosen === undefined ? others : { ...others, [property]: chosen });
	};
	// A list has no field: whoever needs one sends a request.
	const own = Object.keys(properties).filter(
		(property) => !isCommon(property) && properties[property].type !== 'array',
	);
	const common = Object.keys(properties).filter(isCommon);
	const field = (property) => html`
		<${Field}
			key=${property}
			id=${`${name}-${property}`}
			label=${labels[property] ?? spoken(property)}
			schema=${properties[property]}
			value=${value?.[property]}
			isNeeded=${required.includes(property)}
			onChange=${(chosen) => change(property, chosen)}
		/>
	`;
	return html`
		${own.length > 0 && html`<div class="filters">${own.map(field)}</div>`}
		<details open=${common.some((property) => value?.[property] !== undefined)}>
			<summary>Affected requests</summary>
			<div class="filters">${common.map(field)}</div>
		</details>
	`;
}

/** The affected requests are described in the same way for all faults. */
const isCommon = (property) => ['next', 'rate', 'method', 'path'].includes(property);

/** One value; it is sent when the field is left, and only if the schema allows it. */
function Field({ id, label, schema, value, isNeeded, onChange }) {
	const { type, enum: words, minimum, maximum, pattern } = schema;
	const isNumber = type === 'integer' || type === 'number';
	const take = ({ target }) => {
		if (!target.reportValidity()) return;
		if (target.value === '') return onChange(undefined);
		return onChange(isNumber ? Number(target.value) : target.value);
	};
	if (words) {
		return html`
			<label for=${id}>
				${label}
				<select id=${id} value=${value ?? ''} onChange=${take}>
					${!isNeeded && html`<option value="" selected=${value === undefined}>Any</option>`}
					${words.map(
						(word) =>
							html`<option key=${word} value=${word} selected=${word === value}>${word}</option>`,
					)}
				</select>
			</label>
		`;
	}
	return html`
		<label for=${id}>
			${label}
			<input
				id=${id}
				type=${isNumber ? 'number' : 'text'}
				min=${minimum}
				max=${maximum}
				step=${type === 'number' ? 'any' : undefined}
				pattern=${pattern && pattern.replace(/^\^|\$$/g, '')}
				required=${isNeeded}
				placeholder=${isNeeded ? '' : 'Any'}
				value=${value ?? ''}
				onChange=${take}
			/>
		</label>
	`;
}
