import { at } from '../../shared/describe/about';
import { bulk, create, createOrUpdate, listChanges, update } from '../../shared/describe/changes';
import { idList, idsField, replacing } from '../../shared/describe/fields';
import { contains, type Filters, lifeFilters } from '../../shared/describe/filters';
import { kept, lacking, outputOf } from '../../shared/describe/output';
import { get, getMany, resourceWith } from '../../shared/describe/resource';
import { text } from '../../shared/input/kinds';
import { on, withSites } from '../../shared/operation';
import { companyName, emailOf, note } from '../../shared/resources/accountValues';

const email = emailOf('Email address of the client');

const details = [
	text('firstName', 'First Name', { placeholder: 'e.g. Alex' }),
	text('lastName', 'Last Name', { placeholder: 'e.g. Reed' }),
	companyName,
	text('address', 'Address', {
		typeOptions: { rows: 3 },
		placeholder: 'e.g. 1 Harbour Street, Bristol',
		description: 'Postal address of the client',
	}),
	note,
];

const sites = idsField(
	'siteIds',
	'All sites of the client. A site that belongs to another client is rejected',
);

const filters: Filters = {
	'search:contains': text('search', 'Search', {
		placeholder: 'e.g. Harbour',
		description:
			'Only clients whose first name, last name, company name or email contains this text',
	}),
	...contains('clients', 'first_name', 'Alex'),
	...contains('clients', 'last_name', 'Reed'),
	...contains('clients', 'email', '@example.com'),
	...contains('clients', 'company_name', 'Harbour'),
	...lifeFilters,
};

/** Part A, 2.1. */
const output = outputOf({
	...kept('id', 'first_name', 'last_name', 'email', 'company_name', 'address', 'note'),
	site_count: 'site_ids.length',
	...kept('site_ids', 'created_at', 'updated_at'),
});

const created = on('POST /clients', { sites: ['client.site_ids'], mayNameNone: true });

const updated = on('POST /clients/{clientId}/update', { record: true, sites: ['client.site_ids'] });

/** Part A, 4.2. */
export const client = resourceWith(output, 'Client', 'organises', [
	getMany('Get many clients', withSites('GET /clients'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'first_name', 'last_name', 'email', 'company_name'],
		output: lacking(output, 'site_ids'),
	}),
	create('Create client', created, {
		optional: [email, ...details, sites],
		opens: ['companyName', 'email'],
	}),
	createOrUpdate('Create or update client', created, {
		by: [email, 'email:contains'],
		optional: details,
		update: updated,
	}),
	get('Get client', withSites('GET /clients/{clientId}')),
	update('Update client', updated, {
		fields: [
			email,
			...details,
			replacing(
				sites,
				'Sites',
				'sites that the new list leaves out no longer belong to the client',
			),
		],
		clear: { address: ['Address', ''], note: ['Note', ''], site_ids: ['Sites', []] },
	}),
	...listChanges(updated, {
		of: 'client',
		entries: idsField('siteIds', 'The sites. A site that belongs to another client is rejected'),
		change: { place: 'site_ids', entry: 'site' },
	}),
	bulk(
		'Delete clients',
		on('POST /clients/delete', { records: 'ids' }),
		at('ids', idList('clientIds')),
		{
			irreversible: 'the clients cannot be restored',
			guards: { id: 'clientId', place: 'ids' },
			renames: true,
		},
	),
]);
