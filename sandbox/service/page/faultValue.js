import { html } from './preact.js';
import { spoken } from './words.js';

/** What people call the properties that many faults share. */
const labels = {
	next: 'Only so many of the next requests',
	rate: 'Share of the requests (0 to 1)',
	method: 'Only the method',
	path: 'Only paths that begin with',
	ms: 'Milliseconds',
	upTo: 'Up to milliseconds',
	to: 'Address',
};

/** Where a number has to begin so that something is seen of it. */
const startOf = ({ type, enum: words, minimum }) =>
	words?.[0] ?? (type === 'integer' ? Math.max(1000, minimum ?? 0) : '');

/** The value of a fault as it is first switched on. */
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
	const own = Object.keys(properties).filter((property) => !isCommon(property));
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
			<summary>Which requests</summary>
			<div class="filters">${common.map(field)}</div>
		</details>
	`;
}

/** Which requests a fault meets is told alike for all. */
const isCommon = (property) => ['next', 'rate', 'method', 'path'].includes(property);

/** One value; it counts once the field is left, and only when the schema allows it. */
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
					${!isNeeded && html`<option value="" selected=${value === undefined}>any</option>`}
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
				placeholder=${isNeeded ? '' : 'any'}
				value=${value ?? ''}
				onChange=${take}
			/>
		</label>
	`;
}
