import type { IHttpRequestOptions } from 'n8n-workflow';
import { SiteManagementApi } from '../../../credentials/SiteManagementApi.credentials';
import { VOUCHED } from '../../../nodes/shared/access/check';
import { filledIn } from '../../support/credential';

/** What is signed with a credential, and what is refused, whichever node asks for it. */

const BASE = 'https://api.example.com/api/v6';

let executions = 0;

async function sign(limits: object, options: object): Promise<IHttpRequestOptions> {
	executions += 1;
	const execution = String(executions);
	const credential = filledIn({ baseUrl: BASE, apiToken: 'secret', execution, ...limits });
	const { authenticate } = new SiteManagementApi();
	if (typeof authenticate !== 'function') throw new Error('It signs by a function');
	return await authenticate(credential, options as IHttpRequestOptions);
}

/** A request as `POST /tags`, or with more to it. */
function request(what: string, more: object = {}): object {
	const [method, path] = what.split(' ') as [string, string];
	return { method, url: `${BASE}${path}`, ...more };
}

const everything = {};
const readOnly = { access: 'readOnly' };
const only = (...allowed: string[]) => ({ access: 'selected', allowed });
const organises = only('organises');
const safe = only('organises', 'cares');
const most = only('organises', 'cares', 'changesSites', 'sendsMail', 'weakens', 'destroys');
const sites = (onlySites: string, more = {}) => ({ siteAccess: 'selected', onlySites, ...more });

type Row = [what: string, limits: object, options: object];

const signedRows: Row[] = [
	['a change with everything', everything, request('DELETE /sites/7')],
	['a route that is newer than this package', everything, request('PATCH /tags/7')],
	['a path below it', everything, request('GET /new/things?x=1')],
	['a base and a path', everything, { baseURL: `${BASE}/`, url: '/tags' }],
	['an address as HTTP Request has it', everything, { uri: `${BASE}/tags` }],
	['without a method', readOnly, { url: `${BASE}/sites` }],
	['a query', readOnly, request('GET /sites?perPage=1', { qs: { page: 2 } })],
	['HEAD', readOnly, request('HEAD /tags')],
	['a method in small letters', organises, request('post /tags', { body: {} })],
	['a slash at the end', organises, request('POST /tags/')],
	['a double slash', organises, request('POST //tags')],
	['an ending', organises, request('POST /tags.json')],
	['a route in capitals', organises, request('POST /TAGS')],
	['what is encoded without need', organises, request('POST /t%61gs')],
	['what is allowed twice over', most, request('POST /sites/7/backups/8/migrate', { body: {} })],
	['a report that nobody is sent', safe, request('POST /scheduled-reports', { body: { a: 1 } })],
	['no recipients', safe, request('POST /scheduled-reports', { body: { a: { recipients: [] } } })],
	['its own site', sites('7'), request('POST /sites/7/sync')],
	['a site of several', sites('6, 7'), request('GET /sites/7/snapshots')],
	[
		'its own sites in a body',
		sites('6,7'),
		request('POST /tags/1/assign', { body: { site_ids: ['7', 6] } }),
	],
	['a list of all sites', sites('7'), request('GET /sites')],
	['what belongs to no site', sites('7'), request('POST /tags', { body: { tag: { name: 'x' } } })],
	[
		'a schedule of its own sites',
		sites('7'),
		request('POST /auto-update-schedules', {
			body: { auto_update_schedule: { scope: { sites: { selection: 'specific', ids: ['7'] } } } },
		}),
	],
	[
		'as many as it may',
		{ maxChanges: 3 },
		request('POST /tags/1/assign', { body: { site_ids: ['1', '2', '3'] } }),
	],
	[
		'what is not harmful',
		{ maxHarmful: 1 },
		request('POST /tags/1/assign', { body: { site_ids: ['1', '2'] } }),
	],
	['reading without an execution', { maxChanges: 1, execution: undefined }, request('GET /tags')],
	[
		'mail to no client',
		safe,
		request('POST /scheduled-reports', { body: { a: { send_to_client: false } } }),
	],
	[
		'nobody as recipients',
		safe,
		request('POST /scheduled-reports', { body: { a: { recipients: null } } }),
	],
	[
		'updates with a backup',
		only('changesSites'),
		request('POST /auto-update-schedules', { body: { a: { options: { backup: true } } } }),
	],
	[
		'another thing called backup',
		safe,
		request('POST /report-templates', { body: { a: { sections: { backup: false } } } }),
	],
	['no body', safe, request('POST /tags', { body: null })],
	['an empty text', safe, request('POST /tags', { body: '' })],
	['a list', safe, request('POST /tags', { body: [{ name: 'x' }] })],
	[
		'a member without all sites',
		sites('7'),
		request('POST /team-members', {
			body: { team_member: { all_sites_access: false, site_ids: ['7'] } },
		}),
	],
	[
		'a member without any',
		sites('7'),
		request('POST /team-members', { body: { team_member: { all_sites_access: null } } }),
	],
	['reading a report', sites('7'), request('GET /reports/1')],
	['looking for a task', sites('7'), request('HEAD /tasks/1')],
	[
		'a client without its sites',
		sites('7'),
		request('POST /clients/1/update', { body: { client: { note: 'x' } } }),
	],
	['an invitation', sites('7'), request('POST /team-members/1/resend-invitation')],
	['templates', sites('7'), request('POST /report-templates/delete', { body: { ids: ['1'] } })],
	[
		'all plugins of its own sites',
		sites('7'),
		request('POST /auto-update-schedules', {
			body: {
				a: {
					scope: {
						sites: { selection: 'specific', ids: ['7'] },
						updates: { plugins: { selection: 'all' } },
					},
				},
			},
		}),
	],
	[
		'many paths of one site',
		{ maxChanges: 1 },
		request('POST /sites/7/files/sync', { body: { paths: ['a', 'b'] } }),
	],
	['a look without an execution', { maxHarmful: 1, execution: undefined }, request('HEAD /tags')],
	['a base with slashes and blanks', { baseUrl: ` ${BASE}// ` }, request('GET /tags')],
	[
		'a base on this machine',
		{ baseUrl: 'http://127.0.0.1:4010/api' },
		{ url: 'http://127.0.0.1:4010/api/tags' },
	],
	['limits as texts', { maxChanges: ' 3 ', maxHarmful: '0' }, request('POST /tags')],
	['long IDs', sites(' ab-1 ;; ab-2,'), request('POST /sites/ab-2/sync')],
	['dots within an ID', everything, request('GET /tags/a..b')],
	['a certificate that is checked', everything, request('GET /tags', { rejectUnauthorized: true })],
];

const disguised = 'could turn this into a different request';
const elsewhere = 'This credential sends its token only';
const unknown = 'this package does not know the operation';

const refusedRows: Array<[...Row, string]> = [
	// Where it goes.
	['another host', everything, { url: 'https://evil.example.com/api/v6/tags' }, elsewhere],
	['a host that begins alike', everything, { url: `${BASE}.evil.example.com/tags` }, elsewhere],
	['another port', everything, { uri: 'https://api.example.com:8443/api/v6/tags' }, elsewhere],
	['without encryption', everything, { url: BASE.replace('https', 'http') }, elsewhere],
	['another base', everything, { baseURL: 'https://evil.example.com', url: '/tags' }, elsewhere],
	[
		'an absolute URL beside a base',
		everything,
		{ baseURL: BASE, url: 'https://evil.example.com/x' },
		elsewhere,
	],
	[
		'no scheme',
		everything,
		{ baseURL: BASE, url: '//evil.example.com/x' },
		'does not have a valid URL',
	],
	['one slash', everything, { url: 'https:/evil.example.com/x' }, elsewhere],
	['a user in the URL', everything, { url: 'https://me@api.example.com/api/v6/tags' }, elsewhere],
	['a path above the base', everything, { url: 'https://api.example.com/admin' }, elsewhere],
	['another version', everything, { url: 'https://api.example.com/api/v7/tags' }, elsewhere],
	['a base that begins alike', everything, { url: `${BASE}2/tags` }, elsewhere],
	['dots', everything, request('GET /../../admin'), elsewhere],
	['encoded dots', everything, request('GET /%2e%2e/%2e%2e/admin'), elsewhere],
	['dots encoded twice', everything, request('GET /%252e%252e/admin'), elsewhere],
	['an encoded slash', everything, request('GET /..%2f..%2fadmin'), elsewhere],
	['a backslash', everything, request('GET /x%5c..%5cadmin'), elsewhere],
	['a proxy', everything, request('GET /tags', { proxy: 'http://proxy.example.com' }), 'proxy'],
	[
		'a proxy in parts',
		everything,
		request('GET /tags', { proxy: { host: 'x', port: 1 } }),
		'proxy',
	],
	[
		'an unchecked certificate',
		everything,
		request('GET /tags', { rejectUnauthorized: false }),
		'SSL',
	],
	[
		'one of a node',
		everything,
		request('GET /tags', { skipSslCertificateValidation: true }),
		'SSL',
	],
	[
		'one of an agent',
		everything,
		request('GET /tags', { agentOptions: { rejectUnauthorized: false } }),
		'SSL',
	],
	// What it says that it is.
	[
		'an override',
		everything,
		request('GET /tags', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }),
		disguised,
	],
	['a method', everything, request('GET /tags', { headers: { 'x-method': 'DELETE' } }), disguised],
	[
		'with underscores',
		everything,
		request('GET /tags', { headers: { x_http_method: 'PUT' } }),
		disguised,
	],
	[
		'another path',
		everything,
		request('GET /tags', { headers: { 'X-Original-URL': '/x' } }),
		disguised,
	],
	[
		'a rewritten path',
		everything,
		request('GET /tags', { headers: { 'X-Rewrite-Url': '/x' } }),
		disguised,
	],
	['a method in the query', everything, request('GET /tags?_method=delete'), disguised],
	[
		'one in the parameters',
		everything,
		request('GET /tags', { qs: { _method: 'delete' } }),
		disguised,
	],
	['one as a list', everything, request('GET /tags?_METHOD%5B%5D=delete'), disguised],
	['one in a form', everything, request('POST /tags', { form: { _method: 'delete' } }), disguised],
	['one in a body', everything, request('POST /tags', { body: { _method: 'delete' } }), disguised],
	// What it does.
	['a change', readOnly, request('POST /tags'), 'its Access is Read Only'],
	['a sign-in link', readOnly, request('GET /staging-sites/7/wp/users/sso-login-url'), 'Read Only'],
	[
		'one in disguise',
		readOnly,
		request('GET /staging-sites/7/wp/users/sso%2Dlogin-url'),
		'Read Only',
	],
	[
		'one in capitals',
		readOnly,
		request('GET /staging-sites/7/WP/users/SSO-login-url/'),
		'Read Only',
	],
	[
		'one with an ending',
		readOnly,
		request('GET /staging-sites/7/wp/users/sso-login-url.json'),
		'Read Only',
	],
	[
		'one with a parameter in the path',
		readOnly,
		request('GET /staging-sites/7/wp/users/sso-login-url;x'),
		unknown,
	],
	[
		'one with a slash in an ID',
		readOnly,
		request('GET /staging-sites/7%2Fwp/users/sso-login-url'),
		unknown,
	],
	['an unknown route', readOnly, request('GET /secrets'), unknown],
	['an unknown method', most, request('PATCH /tags/7'), unknown],
	['passwords', readOnly, request('GET /staging-sites/7'), 'its response can contain passwords'],
	['passwords of a site', most, request('GET /sites/7'), 'its response can contain passwords'],
	[
		'passwords after a change',
		most,
		request('POST /sites/7/update', { body: {} }),
		'can contain passwords',
	],
	['what is left out', organises, request('DELETE /tags/7'), 'does not include "Destroy"'],
	[
		'one of two',
		only('changesSites'),
		request('POST /sites/7/backups/8/migrate', { body: {} }),
		'"Destroy"',
	],
	[
		'recipients',
		safe,
		request('POST /reports', { body: { report: { recipients: ['a@b.c'] } } }),
		'"Send Emails"',
	],
	['recipients in a query', safe, request('POST /reports?report[recipients][]=a'), '"Send Emails"'],
	[
		'mail to a client',
		safe,
		request('POST /scheduled-reports', { body: { x: { send_to_client: 'yes' } } }),
		'"Send Emails"',
	],
	[
		'updates without a backup',
		only('changesSites'),
		request('POST /auto-update-schedules', {
			body: { auto_update_schedule: { options: { backup: false } } },
		}),
		'"Weaken Protection"',
	],
	[
		'a body that is text',
		safe,
		request('POST /tags', { body: '{"tag":{}}' }),
		'its body cannot be checked',
	],
	[
		'a query that is text',
		safe,
		request('POST /tags', { qs: 'a=1' }),
		'its body cannot be checked',
	],
	[
		'a body that is bytes',
		safe,
		request('POST /tags', { body: Buffer.from('{}') }),
		'its body cannot be checked',
	],
	// Which sites it is about.
	['another site', sites('7'), request('GET /sites/8/snapshots'), 'the site 8 is not in'],
	[
		'another one in a body',
		sites('7'),
		request('POST /tags/1/assign', { body: { site_ids: ['7', '8'] } }),
		'the site 8',
	],
	['another one in a query', sites('7'), request('POST /tags/1/assign?site_ids[]=8'), 'the site 8'],
	[
		'another one deep in it',
		sites('7'),
		request('POST /reports', { body: { report: { site_id: '8' } } }),
		'the site 8',
	],
	[
		'an object for a site',
		sites('7'),
		request('POST /reports', { body: { report: { site: { id: '8' } } } }),
		'the site 8',
	],
	[
		'all sites',
		sites('7'),
		request('POST /auto-update-schedules', {
			body: { a: { scope: { sites: { selection: 'all' } } } },
		}),
		'for all sites',
	],
	[
		'another one in camel case',
		sites('7'),
		request('POST /reports', { body: { report: { siteId: '8' } } }),
		'the site 8',
	],
	[
		'sites in a list',
		sites('7'),
		request('POST /reports', { body: { report: { sites: ['8'] } } }),
		'the site 8',
	],
	[
		'all of them by a text',
		sites('7'),
		request('POST /reports', { body: { a: { site_id: '7', allSites: 'yes' } } }),
		'for all sites',
	],
	[
		'a report after the fact',
		sites('7'),
		request('POST /reports/1/send-email', { body: {} }),
		'are unknown',
	],
	[
		'all sites of a member',
		sites('7'),
		request('POST /team-members', { body: { team_member: { all_sites_access: true } } }),
		'for all sites',
	],
	[
		'no site',
		sites('7'),
		request('POST /auto-update-schedules', { body: {} }),
		'the request names no site',
	],
	[
		'a new site',
		sites('7'),
		request('POST /sites', { body: { site: { url: 'https://x' } } }),
		'the request names no site',
	],
	[
		'branding',
		sites('7'),
		request('POST /whitelabel/wp-login/update', { body: {} }),
		'the request names no site',
	],
	['a report of some site', sites('7'), request('DELETE /reports/1'), 'are unknown'],
	['a task of some site', sites('7'), request('POST /tasks/1/cancel'), 'are unknown'],
	['a staging site', sites('7'), request('GET /staging-sites/1'), 'are unknown'],
	[
		'a client that has others',
		sites('7'),
		request('POST /clients/1/update', { body: { client: { site_ids: ['7'] } } }),
		'are unknown',
	],
	[
		'a destination',
		sites('7'),
		request('POST /sites/7/backups/8/migrate', {
			body: { migration: { type: 'internal', destination_url: 'https://x' } },
		}),
		'are unknown',
	],
	[
		'a site by its tag',
		{ siteAccess: 'selected', onlyTags: '1' },
		request('GET /sites/7/snapshots'),
		'Only Tags',
	],
	['an unknown route below sites', sites('7'), request('GET /sites/7/secrets'), unknown],
	// How many.
	[
		'too many',
		{ maxChanges: 2 },
		request('POST /tags/1/assign', { body: { site_ids: ['1', '2', '3'] } }),
		'Changes per Execution is 2',
	],
	[
		'too many at once',
		{ maxHarmful: 2 },
		request('POST /clients/delete', { body: { ids: ['1', '2', '3'] } }),
		'Harmful Changes per Execution is 2',
	],
	[
		'all sites at once',
		{ maxHarmful: 9 },
		request('POST /auto-update-schedules', {
			body: { a: { scope: { sites: { selection: 'all' } } } },
		}),
		'this request would make all sites more',
	],
	[
		'a change without an execution',
		{ maxChanges: 1, execution: undefined },
		request('POST /tags'),
		'n8n does not report an execution here',
	],
	[
		'one with an empty execution',
		{ maxHarmful: 1, execution: ' ' },
		request('DELETE /tags/1'),
		'n8n does not report an execution here',
	],
	[
		'an unknown harm',
		{ maxHarmful: 1 },
		request('PUT /x', { body: { ids: ['1', '2'] } }),
		'Harmful Changes',
	],
	// Fields that an expression leaves empty.
	...[
		undefined,
		null,
		'',
		' ',
		'readonly',
		'noIrreversible',
		'constructor',
		0,
		true,
		['everything'],
	].map((access): [...Row, string] => [
		`Access ${JSON.stringify(access)}`,
		{ access },
		request('GET /tags'),
		'Access of the credential is not one of its options',
	]),
	...[undefined, null, '', 'cares', ['care'], {}].map((allowed): [...Row, string] => [
		`Allowed ${JSON.stringify(allowed)}`,
		{ access: 'selected', allowed },
		request('GET /tags'),
		'Allowed of the credential is not a list',
	]),
	...[undefined, null, '', 'some', true].map((siteAccess): [...Row, string] => [
		`Sites ${JSON.stringify(siteAccess)}`,
		{ siteAccess },
		request('GET /tags'),
		'Sites of the credential is not one of its options',
	]),
	...[undefined, null, '', ' , ', []].map((onlySites): [...Row, string] => [
		`Only Sites ${JSON.stringify(onlySites)}`,
		{ siteAccess: 'selected', onlySites },
		request('GET /tags'),
		'Only Sites of the credential is empty',
	]),
	...['../7', 'a.b', ['7/8'], {}].map((onlySites): [...Row, string] => [
		`Only Sites ${JSON.stringify(onlySites)}`,
		sites(onlySites as string),
		request('GET /tags'),
		'Only Sites of the credential is not a list of IDs',
	]),
	...[undefined, null, '', -1, 1.5, 'many', true, [1]].map((maxChanges): [...Row, string] => [
		`Changes per Execution ${JSON.stringify(maxChanges)}`,
		{ maxChanges },
		request('GET /tags'),
		'Changes per Execution of the credential is not a whole number',
	]),
	...[undefined, null, '', ' ', 7, 'api.example.com'].map((baseUrl): [...Row, string] => [
		`Base URL ${JSON.stringify(baseUrl)}`,
		{ baseUrl },
		request('GET /tags'),
		'Base URL of the credential is',
	]),
	...[
		'localhost.example.com',
		'my-localhost',
		'127.0.0.1.example.com',
		'127.0.0.1x',
		'10.0.0.1',
	].map((host): [...Row, string] => [
		`Base URL on ${host} without encryption`,
		{ baseUrl: `http://${host}/api` },
		{ url: `http://${host}/api/tags` },
		'must start with https://',
	]),
	...['https://me@api.example.com', 'https://me:x@api.example.com', `${BASE}?x=1`, `${BASE}#x`].map(
		(baseUrl): [...Row, string] => [
			`Base URL ${baseUrl}`,
			{ baseUrl },
			request('GET /tags'),
			'must be a plain URL',
		],
	),
	[
		'a base of another scheme',
		{ baseUrl: 'ftp://localhost/api' },
		{ url: 'ftp://localhost/api/tags' },
		'must start with https://',
	],
	[
		'a base without encryption',
		{ baseUrl: 'http://api.example.com' },
		request('GET /tags'),
		'must start with https://',
	],
	[
		'no token',
		{ apiToken: undefined },
		request('GET /tags'),
		'API Token of the credential is empty',
	],
	[
		'a token of two lines',
		{ apiToken: 'a\nb' },
		request('GET /tags'),
		'API Token of the credential contains',
	],
];

it.each(signedRows)('signs %s', async (_what, limits, options) => {
	const signed = await sign(limits, { headers: { Accept: 'x' }, ...options });
	expect(signed).toMatchObject({
		...options,
		headers: { Accept: 'x', Authorization: 'Bearer secret' },
		sendCredentialsOnCrossOriginRedirect: false,
	});
});

it.each(refusedRows)('refuses %s', async (_what, limits, options, why) => {
	await expect(sign(limits, options)).rejects.toThrow(why);
});

it('there are enough rows, each once', () => {
	const rows = [...signedRows, ...refusedRows];
	expect(refusedRows.length).toBeGreaterThanOrEqual(60);
	expect(new Set(rows.map((row) => JSON.stringify(row.slice(1, 3)))).size).toBeGreaterThan(95);
});

it('no other authorization goes with it', async () => {
	const headers = { authorization: 'Bearer other', AUTHORIZATION: 'x' };
	expect((await sign({}, request('GET /tags', { headers }))).headers).toEqual({
		Authorization: 'Bearer secret',
	});
});

it('changes are counted by execution, and what was repeated counts once', async () => {
	const change = (execution: string, vouched?: object) =>
		sign(
			{ maxChanges: 2, execution },
			{ ...request('POST /tags'), ...(vouched && { [VOUCHED]: vouched }) },
		);
	await change('a');
	await change('a', { isRepeated: true });
	await change('b');
	await change('a');
	await expect(change('a')).rejects.toThrow(
		'This execution has already made 2, and this request would make 1 more',
	);
	await expect(change('a')).rejects.toThrow('Nothing was sent');
	await change('b');
});

it('of harmful changes only those count', async () => {
	const limits = { maxHarmful: 1, execution: 'harmful' };
	for (let index = 0; index < 3; index++) await sign(limits, request('POST /tags'));
	await sign(limits, request('DELETE /tags/1'));
	await sign(limits, request('POST /tags'));
	await expect(sign(limits, request('DELETE /tags/2'))).rejects.toThrow('Harmful Changes');
});

it('a file is followed to where the service points, also to a route that is not known', async () => {
	const options = { ...request('GET /files/7'), [VOUCHED]: { isFollowed: true } };
	await expect(sign(readOnly, options)).resolves.toMatchObject({ method: 'GET' });
	const change = { ...request('POST /files/7'), [VOUCHED]: { isFollowed: true } };
	await expect(sign(readOnly, change)).rejects.toThrow(unknown);
});
