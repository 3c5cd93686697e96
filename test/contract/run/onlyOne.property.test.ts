import type { INodeParameters } from 'n8n-workflow';
import type { NamedId } from '../../../nodes/shared/input/field';
import { casesOf, fc, PATIENCE_MS } from '../../support/effort';
import { type NodeRun, runNode } from '../../support/engine';
import { type Fleet, inStep, startFleet } from '../../support/fleet';
import { locator } from '../../support/locator';

/**
 * A name means a record only if it is the only one with it: for all kinds of records that can be named, by all ways in
 * which they can be, among 250 of which some have the same name, however that is spelled.
 */

const RECORDS = 250;

let fleet: Fleet;

beforeAll(async () => {
	fleet = await startFleet({ sites: RECORDS });
	inStep(fleet);
	for (const of of Object.keys(KINDS) as NamedId[]) fill(of);
}, PATIENCE_MS);

type Rows = { peek(): any[]; get(id: string): any; insert(row: any): any };

interface Kind {
	rows: string;
	/** Gives a record its name, in one of the ways in which it can have one. */
	name: (row: any, name: string, way: number) => void;
	/** The ways to mean one by its name, as runs that change nothing. */
	ways: Record<string, (name: string, id: string) => NodeRun>;
	/** Ways in which upper and lower case are the same. */
	ignoresCase?: string[];
	/** Ways that create what is not there. */
	creates?: string[];
}

const named = (name: string) => locator(name, 'name');

const run = (node: string, parameters: object, more: Partial<NodeRun> = {}): NodeRun => ({
	node,
	parameters: { resource: node, ...parameters } as INodeParameters,
	...more,
});

const byLocator = (node: string, id: string, resource = node) => ({
	'By Name': (name: string) =>
		run(node, { resource, operation: 'get', [id]: named(`={{ ${JSON.stringify(name)} }}`) }),
	'By Name of a tool': (name: string) =>
		run(
			node,
			{ resource, operation: 'get', [id]: named(`={{ ${JSON.stringify(name)} }}`) },
			{ asTool: true },
		),
});

const onlyIf = (node: string, id: string, resource = node) => ({
	'Only If': (name: string, own: string) =>
		run(node, {
			...{ resource, operation: 'delete', [id]: locator(own), preview: true },
			...{ onlyIf: 'name', onlyIfName: `={{ ${JSON.stringify(name)} }}` },
		}),
});

const inList = (node: string, field: string, parameters: object) => ({
	'Names or IDs': (name: string) =>
		run(node, { ...parameters, [field]: `={{ ${JSON.stringify([name])} }}` }),
});

const KINDS: Record<NamedId, Kind> = {
	tagId: {
		rows: 'tags',
		name: (row, name) => (row.name = name),
		ways: {
			...byLocator('tag', 'tagId'),
			...onlyIf('tag', 'tagId'),
			'Names or IDs': (name) =>
				run('site', {
					operation: 'getAll',
					filters: { tagIds: `={{ ${JSON.stringify([name])} }}` },
				}),
			'Create or Update': (name) =>
				run('tag', {
					...{ operation: 'upsert', name: `={{ ${JSON.stringify(name)} }}`, preview: true },
					additionalFields: { color: '#123456' },
				}),
		},
		ignoresCase: ['Create or Update'],
		creates: ['Create or Update'],
	},
	clientId: {
		rows: 'clients',
		name: (row, name, way) => {
			const [first = '', ...rest] = name.trim().split(' ');
			if (way === 0 || rest.length === 0) row.company_name = name;
			else Object.assign(row, { first_name: first, last_name: rest.join(' ') });
		},
		ways: {
			...byLocator('client', 'clientId'),
			...inList('client', 'clientIds', { operation: 'delete', preview: true }),
		},
	},
	reportTemplateId: {
		rows: 'reportTemplates',
		name: (row, name) => (row.name = name),
		ways: {
			...byLocator('reportTemplate', 'reportTemplateId'),
			...inList('reportTemplate', 'reportTemplateIds', { operation: 'delete', preview: true }),
		},
	},
	scheduleId: {
		rows: 'autoUpdateSchedules',
		name: (row, name) => (row.name = name),
		ways: {
			...byLocator('autoUpdate', 'scheduleId', 'schedule'),
			...onlyIf('autoUpdate', 'scheduleId', 'schedule'),
			'Names or IDs': (name) =>
				run('autoUpdate', {
					...{ resource: 'history', operation: 'getAll' },
					filters: { scheduleIds: `={{ ${JSON.stringify([name])} }}` },
				}),
		},
	},
	senderEmailId: {
		rows: 'senderEmails',
		name: (row, name) => (row.name = name),
		ways: {
			...byLocator('senderEmail', 'senderEmailId'),
			...onlyIf('senderEmail', 'senderEmailId'),
		},
	},
	siteId: {
		rows: 'sites',
		name: (row, name) => (row.title = name),
		ways: {
			...byLocator('site', 'siteId'),
			...onlyIf('site', 'siteId'),
			...inList('tag', 'siteIds', { operation: 'assign', tagId: locator('1'), preview: true }),
		},
	},
	teamMemberId: {
		rows: 'teamMembers',
		name: (row, name) => (row.name = name),
		ways: {
			...byLocator('teamMember', 'teamMemberId'),
			...onlyIf('teamMember', 'teamMemberId'),
		},
	},
};

const rowsOf = (of: NamedId) =>
	(fleet.world.store as unknown as Record<string, Rows>)[KINDS[of].rows]!;

/** As many records as there are sites, in lists of three pages. */
function fill(of: NamedId): void {
	const rows = rowsOf(of);
	const [model] = rows.peek();
	for (let count = rows.peek().length; count < RECORDS; count++) {
		const id = of === 'tagId' ? String(9_000 + count) : fleet.world.random.hex(24);
		rows.insert({
			...structuredClone(model),
			id,
			...(typeof model.email === 'string' && { email: `m${count}@x.example` }),
		});
	}
}

/** Names that nothing else has. */
function reset(of: NamedId): any[] {
	const rows = rowsOf(of);
	return rows.peek().map(({ id }, index) => {
		const row = rows.get(id);
		if (of === 'clientId') Object.assign(row, { first_name: 'A', last_name: `Filler ${index}` });
		KINDS[of].name(row, `Filler ${index}`, 0);
		return row;
	});
}

// --- the judge: what two people who look at two names would call the same -----------------------------------------

const HIDDEN = [
	...[0xad, 0x34f, 0x61c, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202c, 0x202e],
	...[0x2060, 0x2066, 0x2069, 0xfeff],
];
const BLANKS = [0x20, 0x09, 0xa0, 0x2007, 0x2009, 0x202f, 0x205f, 0x3000];

/** The words that can be seen. */
function seen(name: string): string {
	const words = [''];
	for (const sign of name.normalize('NFD')) {
		const code = sign.codePointAt(0)!;
		if (HIDDEN.includes(code)) continue;
		if (BLANKS.includes(code)) words.push('');
		else words[words.length - 1] += sign;
	}
	return words.filter(Boolean).join('\u0000').normalize('NFD');
}

const spelling = fc.record({
	form: fc.constantFrom('NFC', 'NFD'),
	blank: fc.constantFrom(...BLANKS, 0x20, 0x20, 0x20),
	isDoubled: fc.boolean(),
	hidden: fc.option(fc.constantFrom(...HIDDEN)),
	at: fc.nat(20),
	ends: fc.constantFrom('', '', ' ', '\u00a0'),
	inCapitals: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(false) },
		{ arbitrary: fc.constant(true), weight: 1 },
	),
});

function spelled(
	name: string,
	how: typeof spelling extends fc.Arbitrary<infer T> ? T : never,
): string {
	const blank = String.fromCodePoint(how.blank).repeat(how.isDoubled ? 2 : 1);
	const signs = [...name.normalize(how.form).replaceAll(' ', blank)];
	if (how.hidden !== null) signs.splice(how.at % signs.length, 0, String.fromCodePoint(how.hidden));
	const text = signs.join('') + how.ends;
	return how.inCapitals ? text.toUpperCase() : text;
}

const NAMES = [
	'Gold plan',
	'Café Zürich',
	'Übergröße',
	'Ångström & Söhne',
	'特売',
	'Việt Nam',
	'Green Law',
];

describe.each(Object.keys(KINDS) as NamedId[])('%s', (of) => {
	const { ways, ignoresCase = [], creates = [], name: give } = KINDS[of];

	it.each(Object.keys(ways))(
		'is found only if it is the only one: %s',
		async (way) => {
			const scene = fc.record({
				name: fc.constantFrom(...NAMES),
				twins: fc.array(fc.record({ at: fc.nat(RECORDS - 1), how: spelling, way: fc.nat(1) }), {
					maxLength: 3,
				}),
				asked: spelling,
				/** Of Only If: which record the ID is of. */
				own: fc.nat(3),
			});
			const judge = async ({
				name,
				twins,
				asked,
				own,
			}: typeof scene extends fc.Arbitrary<infer T> ? T : never) => {
				const rows = reset(of);
				for (const twin of twins) give(rows[twin.at], spelled(name, twin.how), twin.way);
				const text = spelled(name, asked);
				const fold = (each: string) => (ignoresCase.includes(way) ? each.toLowerCase() : each);
				const fits = [
					...new Set(
						twins
							.filter(({ at, how }, index) => {
								const isLast = !twins.slice(index + 1).some((other) => other.at === at);
								const isClient = of === 'clientId';
								return (isLast || isClient) && fold(seen(spelled(name, how))) === fold(seen(text));
							})
							.map(({ at }) => at),
					),
				];
				// A client can have one of them as its company and another as its own name.
				fc.pre(of !== 'clientId' || new Set(twins.map(({ at }) => at)).size === twins.length);
				const id = String(rows[twins[own % Math.max(twins.length, 1)]?.at ?? 0]!.id);
				fleet.forget();
				const { error, json } = await runNode(fleet, ways[way]!(text, id));
				const told =
					error?.message ?? (typeof json[0]?.error === 'string' ? json[0].error : undefined);
				const sent = fleet.sent();
				expect(sent.filter(({ route }) => !route.startsWith('GET'))).toEqual([]);
				const record = fits.length === 1 ? String(rows[fits[0]!]!.id) : undefined;
				if (way === 'Only If') {
					if (record === id) expect(told).toBeUndefined();
					else expect(told).toMatch(/refused by Only If/);
					return;
				}
				if (record !== undefined) {
					expect(told).toBeUndefined();
					expect(JSON.stringify([json, sent.at(-1)])).toContain(record);
				} else if (fits.length === 0 && creates.includes(way)) {
					expect(json).toMatchObject([{ request: { method: 'POST', path: '/tags' } }]);
				} else expect(told).toMatch(fits.length > 1 ? /more than one/i : /^No /);
			};
			await fc.assert(fc.asyncProperty(scene, judge), {
				numRuns: casesOf('NAMES', { quick: 12, long: 400 }),
			});
		},
		PATIENCE_MS,
	);
});
