import type { INodeParameters } from 'n8n-workflow';
import { actionNodes, description, runNode } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';

let fleet: Fleet;
let siteId: string;
beforeAll(async () => {
	fleet = await startFleet({ sites: 3 });
	siteId = (await fleet.sites(1))[0]!.id as string;
	await fleet.api.post(`/sites/${siteId}/update`, {
		site: { connection: { http_auth: { username: 'guard', password: 'very-secret' } } },
	});
});

const getSite = async (parameters: INodeParameters) => {
	const { json, error } = await runNode(fleet, {
		node: 'site',
		parameters: {
			resource: 'site',
			operation: 'get',
			siteId: locator(siteId),
			...parameters,
		},
	});
	expect(error).toBeUndefined();
	return json[0]!;
};

it('Simplified is the default: ten flat fields without secrets', async () => {
	const record = await getSite({});
	expect(Object.keys(record)).toEqual([
		'id',
		'title',
		'url',
		'connection_status',
		'last_sync_at',
		'last_sync_status',
		'core_version',
		'core_update_available',
		'scanner_status',
		'uptime_status',
	]);
	for (const value of Object.values(record)) expect(typeof value).not.toBe('object');
	expect(JSON.stringify(record)).not.toContain('very-secret');
});

it('Raw is what the service returns, without its wrapper', async () => {
	const { data } = await fleet.api.get(`/sites/${siteId}`);
	expect(await getSite({ output: 'raw' })).toEqual(data.site);
});

it('Selected Fields are these and no others, also as text from an expression', async () => {
	const { data } = await fleet.api.get(`/sites/${siteId}`);
	const { id, tags } = data.site;
	expect(await getSite({ output: 'selected', outputFields: ['id', 'tags'] })).toEqual({ id, tags });
	expect(await getSite({ output: 'selected', outputFields: '={{ "id, tags" }}' })).toEqual({
		id,
		tags,
	});
});

it('the password of a site is declared as sensitive', async () => {
	const { sensitiveOutputFields } = await description('site');
	expect(sensitiveOutputFields).toContain('connection.http_auth.password');
});

describe('each record with Simplified', () => {
	/** What is read of each: the operation, and where its ids come from. */
	const reads: Array<[node: string, resource: string, operations: string[]]> = [
		['autoUpdate', 'schedule', ['getAll', 'get']],
		['autoUpdate', 'history', ['getAll']],
		['backupDestination', 'backupDestination', ['getAll', 'get']],
		['branding', 'loginScreenBranding', ['get']],
		['client', 'client', ['getAll', 'get']],
		['report', 'report', ['getAll', 'get']],
		['reportTemplate', 'reportTemplate', ['getAll', 'get']],
		['scheduledReport', 'scheduledReport', ['getAll', 'get']],
		['site', 'site', ['getAll', 'get']],
		['site', 'snapshot', ['getAll', 'get']],
		['stagingSite', 'stagingSite', ['getAll', 'get']],
		['tag', 'tag', ['getAll', 'get']],
		['task', 'task', ['getAll', 'get', 'wait']],
		['teamMember', 'teamMember', ['getAll', 'get']],
	];

	let large: Fleet;
	beforeAll(async () => {
		large = await startFleet({ sites: 30 });
	});

	it.each(reads)('%s/%s: flat by default, and all of it as Raw', async (node, resource, all) => {
		const [backedUp] = (await large.sites(30)).filter(({ backups }) => backups.enabled);
		const place = resource === 'snapshot' ? { siteId: locator(String(backedUp!.id)) } : {};
		let id: unknown;
		for (const operation of all) {
			const ids = { ...place, ...(id !== undefined && { [`${resource}Id`]: locator(String(id)) }) };
			const run = async (more: INodeParameters) => {
				const parameters = { resource, operation, ...ids, ...more };
				const { json, error } = await runNode(large, { node, parameters });
				expect(error).toBeUndefined();
				return json;
			};
			const flat = await run({});
			const raw = await run({ output: 'raw' });
			expect(flat.length).toBeGreaterThan(0);
			expect(flat.length).toBe(raw.length);
			for (const [index, record] of flat.entries()) {
				const values = Object.values(record);
				expect(values.filter((value) => value !== null && typeof value === 'object')).toEqual([]);
				expect(values.filter((value) => value !== null).length).toBeGreaterThan(1);
				expect(record.id).toBe(raw[index]!.id);
			}
			// What still runs would be waited for.
			id = (raw.find(({ status }) => status === 'completed') ?? raw[0]!).id;
		}
	});

	it('covers every operation that reads and has one', async () => {
		const have = (await actionNodes()).flatMap(({ name, properties }) => {
			// n8n shows a property with each of its operations that the resource has.
			const offers = (resource: unknown, operation: unknown) =>
				properties.some(
					(property) =>
						property.name === 'operation' &&
						property.displayOptions!.show!.resource!.includes(resource as string) &&
						property.options!.some((option) => 'value' in option && option.value === operation),
				);
			return properties
				.filter((property) => property.name === 'output')
				.flatMap(({ displayOptions }) => {
					const { resource = [], operation = [] } = displayOptions!.show!;
					return resource.flatMap((one) =>
						operation
							.filter((value) => /^(get|wait)/.test(String(value)) && offers(one, value))
							.map((value) => `${name}/${String(one)}/${String(value)}`),
					);
				});
		});
		const covered = reads.flatMap(([node, resource, all]) =>
			all.map((operation) => `${node}/${resource}/${operation}`),
		);
		expect(covered.sort()).toEqual(have.sort());
	});
});
