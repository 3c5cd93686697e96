import type { NamedId } from '../../../nodes/shared/input/field';
import { casesOf, fc, type Made, PATIENCE_MS } from '../../support/effort';
import { type NodeRun, operationRun, runNode, runOf } from '../../support/engine';
import { fleetOnce, inStep } from '../../support/fleet';
import { locator } from '../../support/locator';

/**
 * A name means a record only if it is the only one with it: for all kinds of records that can be named, by all ways in
 * which they can be, among 250 of which some have the same name, however that is spelled.
 */

jest.setTimeout(PATIENCE_MS);

const RECORDS = 250;

const fleet = fleetOnce({ sites: RECORDS });

beforeAll(() => {
	inStep(fleet);
	for (const of of Object.keys(KINDS) as NamedId[]) fill(of);
});

type Rows = { peek(): any[]; get(id: string): any; insert(row: any): any };

interface Kind {
	rows: string;
	/** Gives a record its name, in one of the ways in which it can have one. */
	give: (row: any, name: string, way: number) => void;
	/** The ways to mean one by its name, as runs that change nothing. */
	ways: Record<string, (name: string, id: string) => NodeRun>;
}

const code = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;

/** A kind with a node that gets one By Name. @param onlyIf whether its operations can compare the name */
function kindOf(
	node: string,
	rows: string,
	field: string,
	ways: Kind['ways'],
	onlyIf = true,
): Kind {
	const resource = node === 'autoUpdate' ? 'schedule' : node;
	const id = `${resource}Id`;
	const get = (name: string) =>
		runOf(`${node}/${resource}/get`, { [id]: locator(code(name), 'name') });
	const guarded = (name: string, own: string) => {
		const guard = { onlyIfName: code(name), preview: true };
		return runOf(`${node}/${resource}/delete`, { [id]: locator(own), ...guard });
	};
	return {
		rows,
		give: (row, name) => (row[field] = name),
		ways: {
			'By Name': get,
			'By Name of a tool': (name) => ({ ...get(name), asTool: true }),
			...(onlyIf && { 'Only If': guarded }),
			...ways,
		},
	};
}

/** In a list of a change, of which only the preview is seen. */
const inList = (node: string, operation: string, field: string, more = {}): Kind['ways'] => ({
	'Names or IDs': (name) =>
		operationRun(node, operation, { [field]: code([name]), preview: true, ...more }),
});

const upsert = (name: string) =>
	operationRun('tag', 'upsert', {
		...{ name: code(name), preview: true, additionalFields: { color: '#123456' } },
	});
const sitesWithTag = (name: string) =>
	operationRun('site', 'getAll', { filters: { tagIds: code([name]) } });
const runsOf = (name: string) =>
	runOf('autoUpdate/history/getAll', { filters: { scheduleIds: code([name]) } });

const KINDS: Record<NamedId, Kind> = {
	tagId: kindOf('tag', 'tags', 'name', {
		'Names or IDs': sitesWithTag,
		'Create or Update': upsert,
	}),
	clientId: {
		...kindOf('client', 'clients', '', inList('client', 'delete', 'clientIds'), false),
		give: (row, name, way) => {
			const [first = '', ...rest] = name.trim().split(' ');
			if (way === 0 || rest.length === 0) row.company_name = name;
			else Object.assign(row, { first_name: first, last_name: rest.join(' ') });
		},
	},
	reportTemplateId: kindOf(
		...(['reportTemplate', 'reportTemplates', 'name'] as const),
		inList('reportTemplate', 'delete', 'reportTemplateIds'),
		false,
	),
	scheduleId: kindOf('autoUpdate', 'autoUpdateSchedules', 'name', { 'Names or IDs': runsOf }),
	senderEmailId: kindOf('senderEmail', 'senderEmails', 'name', {}),
	siteId: kindOf(
		...(['site', 'sites', 'title'] as const),
		inList('tag', 'assign', 'siteIds', { tagId: locator('1') }),
	),
	teamMemberId: kindOf('teamMember', 'teamMembers', 'name', {}),
};

const rowsOf = (of: NamedId) =>
	(fleet.world.store as unknown as Record<string, Rows>)[KINDS[of].rows]!;

/** As many records as there are sites, in lists of three pages. */
function fill(of: NamedId): void {
	const rows = rowsOf(of);
	const [model] = rows.peek();
	for (let count = rows.peek().length; count < RECORDS; count++) {
		const id = of === 'tagId' ? String(9_000 + count) : fleet.world.random.hex(24);
		const email = typeof model.email === 'string' && { email: `m${count}@x.example` };
		rows.insert({ ...structuredClone(model), id, ...email });
	}
}

/** Names that nothing else has. */
function reset(of: NamedId): any[] {
	const rows = rowsOf(of);
	return rows.peek().map(({ id }, index) => {
		const row = rows.get(id);
		if (of === 'clientId') Object.assign(row, { first_name: 'A', last_name: `Filler ${index}` });
		KINDS[of].give(row, `Filler ${index}`, 0);
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
	inCapitals: fc.constantFrom(false, false, false, false, true),
});

function spelled(name: string, how: Made<typeof spelling>): string {
	const blank = String.fromCodePoint(how.blank).repeat(how.isDoubled ? 2 : 1);
	const signs = [...name.normalize(how.form).replaceAll(' ', blank)];
	if (how.hidden !== null) signs.splice(how.at % signs.length, 0, String.fromCodePoint(how.hidden));
	const text = signs.join('') + how.ends;
	return how.inCapitals ? text.toUpperCase() : text;
}

const NAMES = 'Gold plan,Café Zürich,Übergröße,Ångström & Söhne,特売,Việt Nam,Green Law'.split(',');

const scene = fc.record({
	name: fc.constantFrom(...NAMES),
	twins: fc.array(fc.record({ at: fc.nat(RECORDS - 1), how: spelling, way: fc.nat(1) }), {
		maxLength: 3,
	}),
	asked: spelling,
	/** Of Only If: which record the ID is of. */
	own: fc.nat(3),
});

const cases = (Object.keys(KINDS) as NamedId[]).flatMap((of) =>
	Object.keys(KINDS[of].ways).map((way) => [of, way] as const),
);

it.each(cases)('%s is found only if it is the only one: %s', async (of, way) => {
	const { ways, give } = KINDS[of];
	const isUpsert = way === 'Create or Update';
	const judge = async ({ name, twins, asked, own }: Made<typeof scene>) => {
		// A client can have one of them as its company and another as its own name.
		fc.pre(of !== 'clientId' || new Set(twins.map(({ at }) => at)).size === twins.length);
		const rows = reset(of);
		for (const twin of twins) give(rows[twin.at], spelled(name, twin.how), twin.way);
		const text = spelled(name, asked);
		const fold = (each: string) => (isUpsert ? seen(each).toLowerCase() : seen(each));
		const given = new Map(twins.map(({ at, how }) => [at, fold(spelled(name, how))]));
		const fits = [...given].flatMap(([at, form]) => (form === fold(text) ? [at] : []));
		const id = String(rows[twins[own % Math.max(twins.length, 1)]?.at ?? 0]!.id);
		fleet.forget();
		const { error, json } = await runNode(fleet, ways[way]!(text, id));
		const told = error?.message ?? json[0]?.error;
		const sent = fleet.sent();
		expect(fleet.changes()).toEqual([]);
		const record = fits.length === 1 ? String(rows[fits[0]!]!.id) : undefined;
		if (way === 'Only If' && record !== id) expect(told).toMatch(/refused by Only If/);
		else if (record !== undefined) {
			expect(told).toBeUndefined();
			expect(JSON.stringify([json, sent.at(-1)])).toContain(record);
		} else if (fits.length === 0 && isUpsert) {
			expect(json).toMatchObject([{ request: { method: 'POST', path: '/tags' } }]);
		} else expect(told).toMatch(fits.length > 1 ? /more than one/i : /^No /);
	};
	await fc.assert(fc.asyncProperty(scene, judge), {
		numRuns: casesOf('NAMES', { quick: 12, long: 400 }),
	});
});
