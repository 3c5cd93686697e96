import type { INodeParameters } from 'n8n-workflow';
import { description, runNode } from '../support/engine';
import { startFleet, type Fleet } from '../support/fleet';
import { locator } from '../support/locator';

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
