import { html } from './preact.js';
import { useReading } from './live.js';
import { Pager, Problem, Table } from './parts.js';
import { hashOf, replaceHash } from './route.js';
import { Search } from './search.js';
import { apiPath } from './service.js';
import { nameOf } from './siteParts.js';
import { Time } from './time.js';
import { plural } from './words.js';

const perPage = 25;

const columns = [
	['Client', (client) => html`<strong>${nameOf(client)}</strong>`],
	['Contact', (client) => `${client.first_name} ${client.last_name}`.trim() || '–'],
	['Email', ({ email }) => html`<a href=${`mailto:${email}`}>${email}</a>`],
	[
		'Sites',
		({ id, site_ids: ids }) =>
			html`<a href=${hashOf('sites', { client: id })}>${plural(ids.length, 'site')}</a>`,
	],
	['Since', (client) => html`<${Time} at=${client.created_at} />`],
];

/** All clients, by the names of their companies. */
export function Clients({ query: { search, page } }) {
	const { data, error, isBusy, path } = useReading(
		apiPath('/clients', {
			'filters[search:contains]': search,
			sort: 'company_name,asc',
			page,
			perPage,
		}),
	);
	return html`
		<h2>Clients</h2>
		<div class="filters">
			<${Search}
				label="Search by name, company or email"
				value=${search}
				onSearch=${(text) => replaceHash(hashOf('clients', { search: text }))}
			/>
		</div>
		<${Problem} error=${error} />
		<${Table}
			label="Clients"
			rows=${data?.clients}
			isBusy=${isBusy}
			list=${path}
			noun="client"
			none="No client matches."
			columns=${columns}
		/>
		<${Pager} label="clients" meta=${data?.meta} path="clients" query=${{ search }} />
	`;
}
