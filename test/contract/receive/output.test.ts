import type { INodeParameters } from 'n8n-workflow';
import { description, mustSucceed, operationRun, runNode, runOn } from '../../support/engine';
import { fleetOnce } from '../../support/fleet';
import { locator } from '../../support/locator';
import { pageOf } from '../../support/wayward';

const fleet = fleetOnce({ sites: 3 });
let siteId: string;
beforeAll(async () => {
	siteId = (await fleet.sites(1))[0]!.id as string;
	await fleet.api.post(`/sites/${siteId}/update`, {
		site: { connection: { http_auth: { username: 'guard', password: 'very-secret' } } },
	});
});

const onSite = async (operation: string, more: INodeParameters = {}) =>
	mustSucceed(await runNode(fleet, operationRun('site', operation, more))).json[0]!;
const getSite = async (more: INodeParameters) =>
	await onSite('get', { siteId: locator(siteId), ...more });

const firstListed = async () => await onSite('getAll');

it('Simplified is the default: flat, without secrets, and more of a single site than of a list', async () => {
	const record = await getSite({});
	const listed = Object.keys(await firstListed());
	expect(listed).toEqual([
		...['title', 'url', 'connection_status', 'snapshot_status', 'hacked_since', 'last_backup_at'],
		...['id', 'client_id', 'client_name', 'backups_enabled', 'paused', 'core_update'],
		...['php_version', 'tag_names'],
	]);
	expect(Object.keys(record)).toEqual(expect.arrayContaining(listed));
	expect(Object.keys(record).length).toBeGreaterThan(listed.length);
	expect(JSON.stringify(record)).not.toContain('very-secret');
});

describe('Selected Fields', () => {
	const selected = async (outputFields: INodeParameters[string]) =>
		await getSite({ output: 'selected', outputFields });

	it('are these and no others, also as text from an expression', async () => {
		const { data } = await fleet.api.get(`/sites/${siteId}`);
		const { id, tags } = data.site;
		expect(await selected(['id', 'tags'])).toEqual({ id, tags });
		expect(await selected('={{ "id, tags" }}')).toEqual({ id, tags });
	});

	it('can be any paths, under the names that Simplified has for them', async () => {
		const { data } = await fleet.api.get(`/sites/${siteId}`);
		const { connection, server, sync, tags } = data.site;
		const paths = 'connection.status, sync.last_sync_at, server.hosting, tags.name, no.such';
		expect(await selected(`={{ ${JSON.stringify(paths.split(', '))} }}`)).toEqual({
			connection_status: connection.status,
			last_sync_at: sync.last_sync_at,
			server_hosting: server.hosting,
			tag_names: tags.map(({ name }: { name: string }) => name),
			no_such: null,
		});
	});

	it('can be what only Simplified has', async () => {
		const { client_name: name } = await getSite({});
		expect(await selected(['client_name'])).toEqual({ client_name: name });
	});

	it('have the same names in a list, which has fewer of them by default', async () => {
		const { id, ...one } = await firstListed();
		expect(one).not.toHaveProperty('core_version');
		const paths = ['wp.core.current_version', 'sync.last_sync_at', 'client_email', 'tag_ids'];
		const outputFields = `={{ ${JSON.stringify(paths)} }}`;
		const listed = await onSite('getAll', { output: 'selected', outputFields });
		const { core_version, last_sync_at, client_email, tag_ids } = await getSite({
			siteId: locator(String(id)),
		});
		expect(listed).toEqual({ core_version, last_sync_at, client_email, tag_ids });
	});

	it('have a password only where it is named itself', async () => {
		const place = 'connection.http_auth.password';
		expect(await selected(['connection'])).toEqual({
			connection: { status: 'connected', http_auth: { username: 'guard' } },
		});
		expect(await selected(`={{ ["${place}"] }}`)).toEqual({
			connection_http_auth_password: 'very-secret',
		});
	});

	it('must be names or paths', async () => {
		const fields = { output: 'selected', outputFields: '={{ ["Connection Status"] }}' };
		const { error } = await runNode(fleet, operationRun('site', 'getAll', fields));
		expect(error?.message).toContain('"Fields" contains something that is not a field or path');
	});
});

it('the password of a site is declared as sensitive', async () => {
	const { sensitiveOutputFields } = await description('site');
	expect(sensitiveOutputFields).toContain('connection.http_auth.password');
});

it('details of an entry that are lists and objects are shown as JSON', async () => {
	const event_details = { name: 'A', tags: [{ id: 7 }], user: { id: 8 }, to: null };
	const { json, error } = await runOn(
		{ 'GET /sites/1/activity-logs': pageOf('activity_logs', [{ id: '1', event_details }]) },
		operationRun('activityLog', 'getAll', { siteId: locator('1'), returnAll: true }),
	);
	expect(error).toBeUndefined();
	expect(json[0]!.event_text).toBe('name: A, tags: [{"id":7}], user: {"id":8}, to: null');
});
