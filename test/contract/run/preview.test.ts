import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runOn } from '../../support/engine';
import { locator } from '../../support/locator';
import { type Answers, pageOf } from '../../support/wayward';

/** What Preview reads and shows; that it changes nothing is in safety.test.ts and the cases of each operation. */

const siteId = (at: number) => String(at).padStart(10, '0');
const siteOf = (at: number) => ({
	...{ id: siteId(at), url: `https://${at}.example`, status: 'ok' },
	secret: 'x',
});
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const preview = async (node: string, parameters: INodeParameters, answers: Answers = {}) => {
	const run = { node, parameters: { resource: node, preview: true, ...parameters } };
	const { json, error, routes } = await runOn(answers, run);
	expect(error).toBeUndefined();
	return { ...json[0], routes } as IDataObject & { routes: string[]; request: IDataObject };
};

it.each([2, 20, 21])('names %i records of a body, of many by their list', async (count) => {
	const answers: Answers = {
		'GET /tags/7': { body: { tag: { id: '7', name: 'A', color: '#fff', created_at: 'then' } } },
		'GET /sites': pageOf('sites', upTo(count - 1).map(siteOf)),
	};
	for (const at of upTo(count - 1))
		answers[`GET /sites/${siteId(at)}`] = { body: { site: siteOf(at) } };
	const { target, request, routes } = await preview(
		'tag',
		{ operation: 'assign', tagId: locator('7'), siteIds: upTo(count).map(siteId).join() },
		answers,
	);
	const sites = upTo(count - 1).map((at) => ({ ...siteOf(at), secret: undefined }));
	expect(target).toEqual({
		tag: { id: '7', name: 'A', created_at: 'then' },
		sites: [...sites, { id: siteId(count) }],
	});
	expect(request).not.toHaveProperty('query');
	expect(routes).toEqual([
		'GET /tags/7',
		...(count > 20 ? ['GET /sites'] : upTo(count).map((at) => `GET /sites/${siteId(at)}`)),
	]);
});

it('cuts long texts, and shows the rest unchanged', async () => {
	const fields = { name: 'n'.repeat(2_000), additionalFields: { color: '#fff' } };
	const { request } = await preview('tag', { operation: 'create', ...fields });
	expect(request.body).toEqual({ tag: { name: `${'n'.repeat(999)}…`, color: '#fff' } });
});

it('hides secrets at any depth', async () => {
	const hidden = '********';
	const ftp = (secret: (text: string | number) => unknown) => ({
		host: 'a.example',
		keys: ['s1', 's2'].map(secret),
		database: {
			...{ name: 'db', password: secret('s3'), prefix: null },
			users: [{ user: 'me', pin: secret(4) }],
		},
	});
	const [site, snapshot] = [`/sites/${siteId(1)}`, `/sites/${siteId(1)}/snapshots/2`];
	const { request } = await preview(
		'backup',
		{
			...{ operation: 'restore', siteId: locator(siteId(1)), snapshotId: locator('2') },
			...{ includeDatabase: true, includeFiles: true, connectionMethod: 'ftp' },
			ftpCredentials: JSON.stringify(ftp((text) => text)),
		},
		{
			[`GET ${site}`]: { body: { site: siteOf(1) } },
			[`GET ${snapshot}`]: { body: { snapshot: { id: '2', status: 'succeeded' } } },
		},
	);
	expect(request.body).toMatchObject({
		restore: { connection: { credentials: ftp(() => hidden) } },
	});
});
