import { html, useEffect, useState } from './preact.js';
import { FaultValue, valueOf } from './faultValue.js';
import { useReading } from './live.js';
import { Problem } from './parts.js';
import { send } from './service.js';
import { spoken } from './words.js';

/** Some faults end after a number of requests. */
const watch = ['world', 'requests'];

/** The faults of the service, each with a switch. */
export function Faults() {
	const { data: known } = useReading('/', { watch: [] });
	const { data, error } = useReading('/faults', { watch });
	const active = data?.faults ?? {};
	const isAny = Object.values(active).some(isOn);
	return html`
		<section aria-labelledby="faults">
			<div class="heading">
				<h3 id="faults">Faults</h3>
				<button
					type="button"
					class="secondary small"
					disabled=${!isAny}
					onClick=${() => send('DELETE', '/faults')}
				>
					End all faults
				</button>
			</div>
			<p class="quiet">
				Try how workflows behave when the service fails. Faults affect workflows and other clients
				of the API, not this page.
			</p>
			<${Problem} error=${error} />
			<div class="faults">
				${
					data &&
					known?.faults.map(
						(fault) =>
							html`<${Fault} key=${fault.name} fault=${fault} value=${active[fault.name]} />`,
					)
				}
			</div>
		</section>
	`;
}

/** The names of the faults that are on. */
export function useActiveFaults() {
	const { data } = useReading('/faults', { watch });
	return Object.keys(data?.faults ?? {}).filter((name) => isOn(data.faults[name]));
}

const isOn = (value) => value !== undefined && value !== false;

function Fault({ fault: { name, does, schema }, value }) {
	const [draft, setDraft] = useState(value ?? valueOf(schema));
	const [error, setError] = useState();
	const on = isOn(value);
	// The service decides, for instance how many of the next requests are left.
	useEffect(() => {
		if (on) setDraft(value);
	}, [JSON.stringify(value)]);
	const apply = async (request) => {
		setError(undefined);
		await request.catch(setError);
	};
	const start = (chosen) => apply(send('POST', '/faults', { body: { [name]: chosen } }));
	const toggle = ({ target }) =>
		target.checked ? start(draft) : apply(send('DELETE', `/faults/${name}`));
	const change = (chosen) => {
		setDraft(chosen);
		if (on) void start(chosen);
	};
	return html`
		<article class=${on ? 'fault on' : 'fault'}>
			<label>
				<input
					type="checkbox"
					role="switch"
					checked=${on}
					onChange=${toggle}
					aria-describedby=${`does-${name}`}
				/>
				<strong>${spoken(name)}</strong>
			</label>
			<p id=${`does-${name}`} class="quiet">${does}</p>
			<${FaultValue} name=${name} schema=${schema} value=${draft} onChange=${change} />
			<${Problem} error=${error} />
		</article>
	`;
}
