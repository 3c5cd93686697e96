import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readProfile } from '../../../sandbox/service/otherService';
import { checkLive } from '../../../tools/live/cli';
import { fleetEach, startFleet } from '../../support/fleet';
import { newFolder } from '../../support/ending';
import { root } from '../../support/reference';
import type { Report } from '../../../tools/live/report';
import { type Change, type Json, live, type Passing, startProxy, stillClock } from './support';

/** `npm run check -- live` against the sandbox, and through a proxy that changes its answers. */

const out = join(newFolder('check-live'), 'report.json');
const written = async () => JSON.parse(await readFile(out, 'utf8')) as Report;

const told = ({ findings }: Report) =>
	findings.map(({ is, route, place, what }) => `${is}: ${[route, place, what].join(' ')}`);

const SITES = { sites: 12 };

const PAGE = {
	headers: { 'content-type': 'text/html' },
	body: '<!doctype html><title>Hello</title>',
};

/** Changes what goes by, and looks at it with check:live. */
async function through(change: Change, ...args: string[]) {
	const fleet = await startFleet(SITES);
	const proxy = await startProxy(fleet, change);
	const outcome = await live(proxy, fleet.token, '--sites', '0', '--out', out, ...args);
	return { ...outcome, proxy, report: await written() };
}

const onlyOf =
	(wanted: string, change: (body: Json, answer: Passing) => void): Change =>
	(path, answer) => {
		if (path === wanted && answer.status === 200) change(answer.body, answer);
	};

/** Parts C and D. */
const BEYOND = [
	'differs: GET /sites/{site_id} site.health is not in the reference',
	'differs: GET /sites/{site_id}/settings settings.security_hardening is not in the reference',
];

describe('the sandbox', () => {
	const fleet = fleetEach({ sites: 40 });

	it('is as expected, but for what the running service has beyond the reference', async () => {
		const { status } = await live(fleet, fleet.token, '--sites', '6', '--out', out);
		const { routes, words, requests } = await written();
		expect({ status, told: told(await written()), words }).toEqual({
			status: 1,
			told: BEYOND,
			words: {},
		});
		// All but files and links, and what no site here has.
		expect(Object.keys(routes).length).toBeGreaterThanOrEqual(42);
		expect(requests).toBe(fleet.requests.length);
		expect(routes['GET /tags']).toMatchObject({ filter: 'honoured', sort: 'honoured' });
	});

	it('gets only GET requests, and none for files or links', async () => {
		await live(fleet, fleet.token);
		const paths = fleet.requests.map(({ method, path }) => `${method} ${path}`);
		expect(paths.filter((each) => !each.startsWith('GET '))).toEqual([]);
		expect(paths.filter((each) => /download|sso-login/.test(each))).toEqual([]);
		const sizes = fleet.requests.map(({ query }) => new URLSearchParams(query).get('perPage'));
		expect(new Set(sizes)).toEqual(new Set([null, '5']));
	});

	it('is asked for files and links on request', async () => {
		const args = ['--with', 'files,links', '--sites', '6', '--out', out];
		await live(fleet, fleet.token, ...args);
		expect(told(await written())).toEqual(BEYOND);
		const { routes } = await written();
		const statuses = Object.entries(routes).filter(([route]) => /download|sso-login/.test(route));
		expect(statuses).toHaveLength(3);
		for (const [, each] of statuses) expect(each.statuses[200]).toBeGreaterThan(0);
	});
});

it('says which lists of components beyond the reference an account has', async () => {
	const [plugins, themes, core] = ['plugins', 'themes', 'wordpress-core'].map(
		(name) => `GET /sites/wp/${name}`,
	) as [string, string, string];
	const without = await through(() => undefined);
	expect(without.report.lists).toEqual({
		[plugins]: 'not there (404)',
		[themes]: 'not there (404)',
		[core]: 'not there (404)',
	});
	const profile = { routes: { [plugins]: {}, [themes]: {}, [core]: {} } };
	const fleet = await startFleet({ ...SITES, profile });
	const proxy = await startProxy(
		fleet,
		onlyOf('/sites/wp/themes', (body) => delete body.sites[0].wp.themes),
	);
	const { text } = await live(proxy, fleet.token, '--sites', '0', '--out', out);
	const { lists, findings } = await written();
	expect(lists).toEqual({
		[plugins]: 'there',
		[themes]: 'there, but not recognized: not all sites have wp.themes',
		[core]: 'there',
	});
	expect(text).toContain(`Lists of components beyond the reference:\n  ${plugins}: there\n`);
	// The list above has them: nothing else is reported of them.
	expect(findings.filter(({ route }) => route.startsWith('GET /sites/wp/'))).toEqual([]);
});

it('a written profile makes the sandbox respond in the same way', async () => {
	const { report } = await through((_, { status, body }) => {
		if (status >= 400) body.error = { status, ...body.error };
		if (status !== 200) return;
		for (const tag of body.tags ?? []) Object.assign(tag, { icon: 'x', updated_at: undefined });
		for (const task of body.tasks ?? []) task.status = 'stuck';
	});
	const again = await startFleet({ ...SITES, profile: readProfile(out) });
	await live(again, again.token, '--sites', '0', '--out', out);
	const second = await written();
	const withoutCounts = (lines: string[]) => lines.map((line) => line.replace(/\d+/g, 'N')).sort();
	expect(withoutCounts(told(second))).toEqual(withoutCounts(told(report)));
	expect(told(report).length).toBeGreaterThan(2);
	expect(second.errors).toEqual(report.errors);
});

/** Changes a field of every record of a list, or of its first; undefined takes it away. */
const field = (place: string, value?: unknown) =>
	onlyOf(`/${place.split(/\W/)[0]}`, (body) => {
		const [, list, isFirst, name] = /^(\w+)\[(0?)\]\.(\w+)$/.exec(place) ?? [];
		const records: Json[] = isFirst ? body[list!].slice(0, 1) : body[list!];
		for (const record of records) {
			if (value === undefined) delete record[name!];
			else record[name!] = value;
		}
	});

/** Changes the answers for the requests to a list that have this in their query. */
const asked =
	(query: RegExp, change: (answer: Passing) => void): Change =>
	(path, answer, url) => {
		if (path === '/clients' && query.test(url.search)) change(answer);
	};

let firstPage: Json[] | undefined;

/** What is found: a difference, another form that the nodes accept, or what a node would refuse. */
const kinds = {
	differs: { exit: 1, says: /^The service differs/ },
	taken: { exit: 1, says: /^The service differs[^]*\nAccepted in another form:\n/ },
	refused: { exit: 3, says: /nodes would fail/ },
};
type Kind = keyof typeof kinds;

const changes: Record<Kind, Record<string, [Change, RegExp]>> = {
	differs: {
		'a new key': [field('clients[].vat_id', 'x'), /\[\]\.vat_id is not in the reference/],
		'a missing key': [field('clients[].email'), /clients\[\]\.email is never there/],
		'a key missing in some': [field('clients[0].email'), /email is missing in \d+ of \d+/],
		'another type': [field('clients[].email', 7), /is of the type number in \d+ of \d+, not/],
		'a null': [field('clients[0].email', null), /email is null in \d+ of \d+, not string/],
		'a word': [field('tasks[0].status', 'stuck'), /tasks\[\]\.status has "stuck", which/],
		'another status': [
			onlyOf('/clients', (_, answer) => (answer.status = 203)),
			/GET \/clients +has the status 203, not 200/,
		],
		'no rate-limit headers': [
			(_, { headers }) =>
				Object.keys(headers).forEach((name) => /^x-rate/.test(name) && delete headers[name]),
			/has no rate-limit headers \(all routes\)/,
		],
		'a filter that is ignored': [
			asked(/filters/, ({ body }) => {
				for (const each of body.clients) {
					for (const name of Object.keys(each)) if (name !== 'id') each[name] = 'Other';
				}
			}),
			/GET \/clients filters\[\w+:contains\] is not honoured/,
		],
		'a sort that is ignored': [
			asked(/sort/, ({ body }) => void body.clients.unshift(...body.clients.splice(1, 1))),
			/GET \/clients sort by \w+ is not honoured/,
		],
		'pages that are ignored': [
			(path, { body }, url) => {
				if (path !== '/sites') return;
				if (url.searchParams.get('page') === '2') body.sites = firstPage;
				else firstPage ??= body.sites;
			},
			/GET \/sites +has the same records on page 2/,
		],
		'another perPage': [
			onlyOf('/clients', ({ meta }) => (meta.pagination.perPage = 100)),
			/GET \/clients meta\.pagination does not repeat/,
		],
		'a record where there is none': [
			(path, answer) => {
				if (path === '/tags/0') Object.assign(answer, { status: 200, body: { tag: { id: '0' } } });
			},
			/GET \/tags\/\{tag_id\} +has the status 200 where 404 is due/,
		],
		'another record than the requested one': [
			(path, { status, body }) => {
				if (/^\/clients\/\w+$/.test(path) && status === 200) body.client.id = '999';
			},
			/GET \/clients\/\{client_id\} +is a different record/,
		],
	},
	taken: {
		'another wrapper': [
			onlyOf('/clients', ({ clients, meta }, answer) => (answer.body = { data: clients, meta })),
			/GET \/clients .*is accepted as an object without "clients"/,
		],
		'no number of pages': [
			onlyOf('/clients', ({ meta }) => delete meta.pagination.totalPages),
			/GET \/clients .*is accepted as a list without a number of pages/,
		],
		'a PDF of another type': [
			(path, { headers }) => {
				if (!/^\/reports\/\w+\/download$/.test(path)) return;
				headers['content-type'] = 'binary/octet-stream';
				delete headers['content-disposition'];
			},
			/download +is accepted as binary\/octet-stream, not application\/pdf/,
		],
	},
	refused: {
		'no IDs': [field('clients[].id'), /GET \/clients +a node would refuse the answer: /],
		'an error inside a success': [
			onlyOf('/team-members', (_, answer) => (answer.body = { error: { message: 'Broken' } })),
			/GET \/team-members +a node would refuse the answer: /,
		],
		'a web page in one place': [
			onlyOf('/team-members', (_, answer) => Object.assign(answer, PAGE)),
			/GET \/team-members +a node would refuse the answer: a web page/,
		],
		'a list that is not there': [
			onlyOf('/reports', (_, answer) => (answer.status = 404)),
			/GET \/reports +a node would fail: the status is 404/,
		],
		'a filter that is not taken': [
			asked(/filters/, (answer) => (answer.status = 400)),
			/GET \/clients filters\[\w+:contains\] a node would fail/,
		],
	},
};

describe.each(Object.entries(changes))('finds what %s', (is, rows) => {
	it.each(Object.entries(rows))('%s', async (_, [change, line]) => {
		firstPage = undefined;
		const { status, report, text } = await through(change, '--with', 'files');
		expect(told(report)).toContainEqual(
			expect.stringMatching(new RegExp(`^${is}: .*${line.source}`)),
		);
		expect(status).toBe(kinds[is as Kind].exit);
		expect(text).toMatch(kinds[is as Kind].says);
	});
});

describe('a service that cannot be checked', () => {
	it('with a token that is not accepted', async () => {
		const fleet = await startFleet(SITES);
		const { status, text } = await live(fleet, 'wrong-token', '--out', out);
		expect([status, text]).toEqual([2, expect.stringMatching(/token was not accepted \(401\)/)]);
		expect(fleet.requests.length).toBeLessThanOrEqual(2);
	});

	it.each<[where: string, answered: Partial<Passing>, reason: RegExp, most: number]>([
		['at a web page', PAGE, /not JSON, such as a web page/, 2],
		['at a redirect', { status: 302, headers: { location: '/login' } }, /redirects \(302\)/, 2],
		['at another service', { status: 404, body: {} }, /it is another service/, 100],
	])('%s, which is asked no more than it needs', async (_, answered, reason, most) => {
		const { status, text, proxy } = await through((_path, answer) => {
			Object.assign(answer, answered, { headers: { ...answer.headers, ...answered.headers } });
		});
		expect([status, text]).toEqual([2, expect.stringMatching(reason)]);
		expect(proxy.requests.length).toBeLessThanOrEqual(most);
	});

	it('further than a 429', async () => {
		let count = 0;
		const { status, text, proxy, report } = await through((_, answer) => {
			if ((count += 1) === 10) answer.status = 429;
		});
		expect([status, text]).toEqual([2, expect.stringMatching(/the rate limit is used up/)]);
		expect(proxy.requests).toHaveLength(10);
		expect(Object.keys(report.routes).length).toBeGreaterThan(1);
	});
});

it('words instead of the stand-ins are proposed', async () => {
	const words: Record<string, string> = { cms: 'press', shop: 'till' };
	const change: Change = (_path, answer) => {
		const keys = /"(cms|shop)(?=_\w*":)/g;
		const text = JSON.stringify(answer.body);
		answer.body = JSON.parse(text.replace(keys, (_, word: string) => `"${words[word]}`));
	};
	const { text, report } = await through(change, '--sites', '1');
	expect(report.words).toMatchObject(words);
	expect(text).toContain('{"words":{');
});

/** Whatever is planted, the report does not have it. */
const HEX = '0123456789abcdef0123456789abcdef';
const keys = [
	...['owner@secret.example', 'https://secret.example/x', HEX, 'secret.example', '20481'],
	...['sk_live_9aF3kQ72ZxPq', 'Secret Client Ltd'],
];
const planted = [...keys, 'Secret Title', 'secretclient', 'another_secret'];

function plant(value: unknown, token: string): void {
	if (Array.isArray(value)) return value.forEach((each) => plant(each, token));
	if (typeof value !== 'object' || value === null) return;
	const object = value as Json;
	for (const [key, each] of Object.entries(object)) {
		plant(each, token);
		if (/^(title|name|first_name|description|company_name)$/.test(key))
			object[key] = 'Secret Title';
		if (/email/.test(key)) object[key] = 'owner@secret.example';
		if (/url/.test(key)) object[key] = `https://secret.example/x?token=${token}`;
	}
	for (const key of keys) object[key] = { [key]: token };
	object.by_client = { secretclient: 1, another_secret: 2 };
}

it('secrets are in no report', async () => {
	const fleet = await startFleet(SITES);
	const proxy = await startProxy(fleet, (path, { status, body }) => {
		if (status >= 400) {
			Object.assign(body.error, { message: `Secret Title ${fleet.token}`, [HEX]: 'x' });
			return;
		}
		plant(body, fleet.token);
		if (path === '/tasks') body.tasks[0].status = 'owner@secret.example';
		if (path === '/clients') body.meta.pagination.totalPages = 'Secret Title';
		if (path === '/tags') body.tags[0].id = undefined;
	});
	const args = ['--with', 'files,links', '--sites', '3', '--out', out];
	const { status, text } = await live(proxy, fleet.token, ...args);
	expect(status).toBe(3);
	const report = await readFile(out, 'utf8');
	const { host, hostname, port } = new URL(proxy.baseUrl);
	const values = [...proxy.strings].filter(
		(each) => /[@ ]|:\/\/|\d{3}|^[0-9a-f]{8,}$/.test(each) && !/^[A-Z]+ \/|^\d{1,3}$/.test(each),
	);
	expect(values.length).toBeGreaterThan(200);
	for (const told of [text, report]) {
		const secrets = [...planted, fleet.token, host, hostname, port, ...values];
		expect(secrets.filter((each) => told.includes(each))).toEqual([]);
		expect(told).toContain('{key}');
	}
});

describe('a call', () => {
	const call = async (args: string[], environment = {}) =>
		await checkLive(args, { environment, clock: stillClock() });

	const URL_ = 'https://api.example.com/api/v6';
	const SECRET = 'abc-secret';

	it.each<[args: string, message: RegExp]>([
		['', /^Give --base-url\.\nUsage/],
		['--base-url http://example.com', /^--base-url must start with https/],
		[`--base-url https://a:${SECRET}@b.c/`, /must be a plain URL/],
		[`--base-url ${URL_} --token ${SECRET}`, /^The token cannot be an argument.*\nPut/],
		['--fast', /^Unknown option '--fast'/],
		[`--base-url ${URL_} --with all`, /^--with takes files, links\./],
		[`--base-url ${URL_} --sites few`, /^--sites must be a whole number/],
	])('of "%s" is refused', async (args, message) => {
		const environment = { SITE_MANAGEMENT_API_TOKEN: 'x' };
		const { status, text } = await call(args.split(' ').filter(Boolean), environment);
		expect(text).toMatch(message);
		expect(status).toBe(2);
		expect(text).not.toContain(SECRET);
		expect(text).not.toMatch(/^\s+at /m);
	});

	it('without a token is refused', async () => {
		const { status, text } = await call(['--base-url', URL_]);
		expect([status, text]).toEqual([2, expect.stringMatching(/^There is no API token\.\nPut/)]);
	});

	it('runs as a command', async () => {
		const fleet = await startFleet(SITES);
		const program = [join(root, 'tools/check.mjs'), 'live', '--base-url', fleet.baseUrl];
		const env = { ...process.env, SITE_MANAGEMENT_API_TOKEN: fleet.token };
		const run = promisify(execFile)(process.execPath, program, { cwd: root, env });
		await expect(run).rejects.toMatchObject({
			code: 1,
			stdout: expect.stringContaining('site.health'),
		});
	});
});
