import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readProfile } from '../../../sandbox/service/otherService';
import { runNode } from '../../support/engine';
import { type Fleet, inStep, startFleet } from '../../support/fleet';
import { root } from '../../support/reference';

const profile = readProfile(join(root, 'sandbox/service/otherService/part-d.json'));
let fleet: Fleet;
let id: string;
beforeAll(async () => {
	fleet = await startFleet({ sites: 5, profile });
	[{ id }] = (await fleet.sites(1)) as [{ id: string }];
});
afterAll(async () => await fleet.close());

const run = async (
	operation: string,
	value: IDataObject = {},
	more: INodeParameters = {},
	limits?: IDataObject,
) => {
	inStep(fleet);
	fleet.forget();
	return await runNode(limits ? { ...fleet, limits } : fleet, {
		node: 'api',
		parameters: {
			...{ resource: 'request', operation: 'anyOperation' },
			apiOperation: { __rl: true, mode: 'id', value: operation },
			apiParameters: {
				mappingMode: 'defineBelow',
				value,
				schema: [],
			} as unknown as INodeParameters,
			...more,
		},
	});
};

interface Plugin {
	slug: string;
	active: boolean;
}

async function plugins(): Promise<Plugin[]> {
	const { json, error } = await run('GET /sites/wp/plugins', { 'query.site_ids[]': [id] });
	expect(error).toBeUndefined();
	expect(json).toHaveLength(1);
	return (json[0]!.wp as IDataObject).plugins as unknown as Plugin[];
}

it('deactivates a plugin, waits for the task, and sees it in the list', async () => {
	const { slug } = (await plugins()).find(({ active }) => active)!;
	const sites = [{ id, plugins: [{ slug }] }];
	const options = { waitForCompletion: true };
	const { json, error } = await run(
		'POST /sites/wp/plugins/deactivate',
		{ 'body.sites': sites },
		{ options },
	);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ status: 'completed' }]);
	expect((await plugins()).find((plugin) => plugin.slug === slug)!.active).toBe(false);
});

it('refuses a body that is not in the form of the document, and sends nothing', async () => {
	const { error } = await run('POST /sites/wp/plugins/deactivate', {
		'body.sites': [{ id, plugins: [{}] }],
	});
	expect(error?.message).toMatch(
		/^The parameter "Values to Send > sites" has no value at 0\.plugins\.0\.slug/,
	);
	expect(fleet.changes()).toEqual([]);
});

it('says the form of a value that is missing', async () => {
	const { error } = await run('POST /sites/wp/plugins/deactivate');
	expect(error?.message).toBe(
		'The parameter "Values to Send > sites" has no value. Its form is [{ id, plugins: [{ slug, name?, version? }] }]',
	);
	expect(fleet.changes()).toEqual([]);
});

it.each([
	(id) => id,
	(id) => [id],
	(id) => `={{ ["${id}"] }}`,
	(id) => `={{ "${id}" }}`,
	(id) => `${id}, ${id}`,
] as Array<(id: string) => unknown>)('takes a list as the editor saves it: %#', async (given) => {
	const key = 'query.site_ids[]';
	const schema = [{ id: key, displayName: key, type: 'string', required: false, display: true }];
	const value = { [key]: given(id) };
	const { json, error } = await run(
		'GET /sites/wp/plugins',
		{},
		{
			apiParameters: { mappingMode: 'defineBelow', value, schema } as unknown as INodeParameters,
		},
	);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ id }]);
});

it('returns a file', async () => {
	const { items, error } = await run('GET /sites/{site_id}/performance/report', {
		'path.site_id': id,
	});
	expect(error).toBeUndefined();
	expect(items[0]!.binary!.data).toMatchObject({ mimeType: 'application/pdf' });
});

it('reads a list with pages', async () => {
	const value = { 'path.site_id': id };
	const all = await run('GET /sites/{site_id}/security/login-attempts', value, { returnAll: true });
	expect(all.error).toBeUndefined();
	const two = await run('GET /sites/{site_id}/security/login-attempts', value, { limit: 2 });
	expect(two.json).toEqual(all.json.slice(0, 2));
});

describe('with limits of the credential', () => {
	const readOnly = { access: 'readOnly' };
	const some = { siteAccess: 'selected', onlySites: 'a' };
	const firewall = { 'path.site_id': '' };
	beforeEach(() => (firewall['path.site_id'] = id));

	it('reads what no node knows', async () => {
		const { error } = await run(
			'GET /sites/{site_id}/security/firewall/ip-list',
			firewall,
			{},
			readOnly,
		);
		expect(error).toBeUndefined();
		expect(fleet.routes()).toContain(`GET /sites/${id}/security/firewall/ip-list`);
	});

	it.each<[what: string, operation: string, more: () => IDataObject, limits: IDataObject]>([
		[
			'a sign-in link',
			'GET /sites/{site_id}/wp/users/{user_id}/sso-login-url',
			() => ({ 'path.user_id': '1' }),
			readOnly,
		],
		['a change', 'POST /sites/{site_id}/security/firewall/disable', () => ({}), readOnly],
		[
			'a change with a limit of changes',
			'POST /sites/{site_id}/security/firewall/disable',
			() => ({}),
			{ maxChanges: 9 },
		],
		[
			'a read where sites are limited',
			'GET /sites/{site_id}/security/firewall/ip-list',
			() => ({}),
			some,
		],
	])('refuses %s', async (_what, operation, more, limits) => {
		const { error } = await run(operation, { ...firewall, ...more() }, {}, limits);
		expect(error?.message).toContain('is not allowed by the credential');
		expect(fleet.routes().filter((route) => !route.endsWith('/openapi.json'))).toEqual([]);
	});

	it('sends a change that Also Allowed names', async () => {
		const limits = { ...readOnly, alsoAllowed: 'POST /sites/{id}/security/firewall/disable' };
		const { error } = await run(
			'POST /sites/{site_id}/security/firewall/disable',
			firewall,
			{},
			limits,
		);
		expect(error).toBeUndefined();
	});
});
