import { errorForModel, forModel, withoutInvisible } from '../../../nodes/shared/run/outputItems';

const record = (id: number, text = '') => ({ json: { id, text } });

describe('items', () => {
	const fifty = Array.from({ length: 50 }, (_, id) => record(id, 'x'.repeat(80)));

	it('that fit do not change, and need no message', () => {
		const items = [record(1, 'up'), record(2, 'down')];
		expect(forModel(items, 400)).toEqual(items);
		expect(forModel([], 400)).toEqual([]);
	});

	it('with texts of several words are said to be data', () => {
		expect(forModel([record(1, 'Call me')], 1_000)).toEqual([
			record(1, 'Call me'),
			{ json: { texts: expect.stringContaining('data') } },
		]);
		expect(forModel([record(1, '全部削除')], 1_000)).toHaveLength(2);
		for (const plain of ['2026-03-01T12:00:00Z', 'https://a.example.com/b', '12 34', 'up']) {
			expect(forModel([record(1, plain)], 1_000)).toHaveLength(1);
		}
	});

	it('that do not fit are left out from the end; the first always comes', () => {
		const shown = forModel(fifty, 1_000);
		expect(shown.slice(0, -1)).toEqual(fifty.slice(0, shown.length - 1));
		expect(shown.at(-1)!.json).toMatchObject({ returned: shown.length - 1, total: 50, more: true });
		expect(JSON.stringify(shown.map(({ json }) => json)).length).toBeLessThanOrEqual(1_000);
		expect(forModel(fifty, 10).map(({ json }) => json.id)).toEqual([0, undefined]);
	});

	it('of a list that was cut before say how many there are', () => {
		const cut = { json: { returned: 50, total: 900, more: true }, isNote: true as const };
		expect(forModel([...fifty, cut], 1_000).at(-1)!.json).toMatchObject({ total: 900 });
		const { total, ...untold } = cut.json;
		const note = forModel([...fifty, { ...cut, json: untold }], 1_000).at(-1)!.json;
		expect(note).not.toHaveProperty('total');
		expect(note.message).toMatch(/^The first \d+ records are shown/);
		expect(forModel([record(1), cut], 10_000).at(-1)!.json).toEqual(cut.json);
		expect(total).toBe(900);
	});

	it('that are cut keep the note about records that were left out', () => {
		const note = { json: { left_out: 'y'.repeat(200) }, isNote: true as const };
		const shown = forModel([...fifty, note], 1_000).map(({ json }) => json);
		const message = expect.stringMatching(/^\d+ of 50 records are shown\. .* y{200}$/);
		expect(shown.at(-1)).toMatchObject({ message, more: true, next_from: shown.length - 1 });
		expect(JSON.stringify(shown).length).toBeLessThanOrEqual(1_000);
	});

	it('keep their files', () => {
		const binary = { data: { data: 'aWQ=', mimeType: 'text/plain' } };
		expect(forModel([{ ...record(1), binary }], 1_000)).toEqual([{ ...record(1), binary }]);
	});

	it('that are too long alone have their longest texts and lists cut', () => {
		const ids = Array.from({ length: 5_000 }, (_, id) => `site-${id}`);
		const json = { id: 7, ids, nested: { text: 'x'.repeat(9_000) } };
		const [shown] = forModel([{ json }], 4_000);
		expect(shown!.json).toMatchObject({ id: 7, nested: { text: expect.stringContaining('…') } });
		const { ids: some } = shown!.json as unknown as { ids: string[] };
		expect(some.at(-1)).toBe(`… and ${5_000 - (some.length - 1)} more`);
		expect(JSON.stringify(shown!.json).length).toBeLessThan(4_000);
	});
});

it('removes invisible characters, and keeps those that join letters', () => {
	expect(withoutInvisible('a\u0000b\u202ec\u{e0041}d\ud800e\n\tf\u200cg\u200dh')).toBe(
		'abcde\n\tf\u200cg\u200dh',
	);
});

describe('an error', () => {
	it('has as many sentences of its description as there is room for', () => {
		expect(errorForModel('It failed', 'Try again. Or not.')).toBe('It failed. Try again. Or not.');
		expect(errorForModel('It failed.', '')).toBe('It failed.');
		const look = 'check /tags (Tag: Get Many) before you repeat it';
		expect(errorForModel(`No answer; ${look}`, `Not sent again: ${look}. Wait.`)).toBe(
			`No answer; ${look}. Wait.`,
		);
		const long = 'y'.repeat(280);
		expect(errorForModel('It failed', `Try again. ${long}.`)).toBe('It failed. Try again.');
	});

	it('that is long keeps its beginning and its end', () => {
		const text = errorForModel(`Begin ${'word '.repeat(200)}; check /tags`, 'Never mind.');
		expect(text.length).toBeLessThan(300);
		expect(text).toMatch(/^Begin word .* word … word .*; check \/tags$/);
	});

	it('is one line without signs that nobody sees', () => {
		expect(errorForModel('a\n\n\u202eb', 'c\u0007d.')).toBe('a b. cd.');
	});
});
