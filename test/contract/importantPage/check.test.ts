import type { IDataObject } from 'n8n-workflow';
import { mustSucceed, type NodeRun, operationRun, runNode } from '../../support/engine';

/** Important Page: Check, behind the item that n8n's HTTP Request node returns for a page. */

/** Nothing answers there: a request would fail. */
const nowhere = { baseUrl: 'http://127.0.0.1:9', token: 'none' };

const run = (more: object, items: IDataObject[]): NodeRun =>
	operationRun('importantPage', 'check', more as never, { items });

async function checked(page: IDataObject, more: object = {}): Promise<IDataObject> {
	const { json } = mustSucceed(await runNode(nowhere, run(more, [page])));
	expect(json).toHaveLength(1);
	return json[0]!;
}

const html = (title: string, body = '<p>Fresh bread every day, from our oven to your door</p>') =>
	`<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

const page = (title: string, body?: string) => ({ statusCode: 200, data: html(title, body) });

const compared = async (before: IDataObject, now: IDataObject, options: object = {}) => {
	const earlier = await checked(before, { options });
	// A row of a table may have texts for all of it.
	const row = JSON.parse(JSON.stringify(earlier)) as IDataObject;
	return await checked(
		{ ...now, row },
		{ comparesEarlier: true, earlierCheck: '={{ $json.row }}', options },
	);
};

it('shows what is the same as before, as data and in words', async () => {
	const found = await compared(page('Harbour Bakery'), page('Harbour Bakery'), {
		pageUrl: 'https://www.example.com/shop',
		mustContain: 'fresh BREAD',
	});
	const { data } = page('Harbour Bakery');
	expect(found).toEqual({
		...{ title: 'Harbour Bakery', url: 'https://www.example.com/shop', reason: null },
		...{ status: 200, earlier_status: 200, result: 'good', differs: [], not_known: [] },
		...{ checked_at: expect.any(String), earlier_checked_at: expect.any(String) },
		...{ earlier_title: 'Harbour Bakery', characters: data.length, has_text: true },
		...{ earlier_characters: data.length, earlier_has_text: true },
		same: [
			'Status: 200',
			'Text: found',
			'Title: "Harbour Bakery"',
			`Size: ${data.length} characters, 100% of ${data.length} before`,
		],
	});
});

const ITALIC = '<i>';

it.each<[what: string, before: string, now: string, title: string]>([
	['entities', 'Smith &amp; Sons', 'Smith &#38; S&#x6f;ns', 'Smith & Sons'],
	['an entity and its character', 'Caf&eacute; &laquo;A&raquo;', 'Café «A»', 'Café «A»'],
	['quotes', '"Best" baker\'s', '&#8220;Best&#8221; baker&rsquo;s', '“Best” baker’s'],
	['dashes', 'Bread - Cakes', 'Bread &#8211; Cakes', 'Bread – Cakes'],
	['long dashes', 'Bread -- Cakes', 'Bread &mdash; Cakes', 'Bread — Cakes'],
	['old numbers of dashes', 'Bread - Cakes', 'Bread &#150; Cakes', 'Bread – Cakes'],
	['dots', 'And more...', 'And more&hellip;', 'And more…'],
	['double spaces', 'Harbour  Bakery', '\n\tHarbour&nbsp;Bakery ', 'Harbour Bakery'],
	['decomposed letters', 'Café Bäckerei', 'Cafe\u0301 Ba&#x308;ckerei', 'Café Bäckerei'],
	['letters beyond Latin-1', 'Škoda &#128512;', '&Scaron;koda 😀', 'Škoda 😀'],
	['a tag in the title', 'a &lt;i&gt; b', `a ${ITALIC} b`, 'a <i> b'],
])('takes titles that differ in %s only as the same', async (_, before, now, title) => {
	const found = await compared(page(before), page(now));
	expect(found).toMatchObject({ title, differs: [], not_known: [], result: 'good' });
	expect(found.same).toContain(`Title: "${title}"`);
});

it.each([
	['Harbor Bakery', '"Harbor Bakery"'],
	['HARBOUR BAKERY', '"HARBOUR BAKERY"'],
	[' ', 'empty'],
])('reports the other title "%s"', async (now, is) => {
	const found = await compared(page('Harbour Bakery'), page(now));
	const reason = `The title of the page is ${is}, before "Harbour Bakery"`;
	expect(found).toMatchObject({ result: 'problem', reason });
	expect(found.differs).toHaveLength(1);
});

it('reads the title of the page, not one of a comment, a script or a picture', async () => {
	const head = `<!-- <title>Old</title> --><script>"<title>Code</title>"</script><title lang="en">Right</title>`;
	const body = '<svg><title>Picture</title></svg>';
	const found = await checked({
		statusCode: 200,
		data: `<html><head>${head}</head><body>${body}</body>`,
	});
	expect(found).toMatchObject({ title: 'Right', result: 'good' });
	const without = await checked({ statusCode: 200, data: `<html><body>${body}</body></html>` });
	expect(without).toMatchObject({ title: '', result: 'good' });
});

it.each([
	['A', 'A &hearts; B', 'it contains &hearts;, a character that is not known'],
	['A &hearts; B', 'A', 'the earlier check did not know it'],
	['A &hearts; B', 'A &hearts; B', 'it contains &hearts;, a character that is not known'],
])('the title %j and then %j is not known, and not different', async (before, now, why) => {
	const reason = `Title: ${why}`;
	const known = { result: 'not known', reason, not_known: [reason], differs: [] };
	expect(await compared(page(before), page(now))).toMatchObject(known);
});

describe('a text that the page must contain', () => {
	it.each<[wanted: string, body: string, result: string]>([
		['Add to cart', '<button>ADD&nbsp;TO<br>CART</button>', 'good'],
		['A & B – "Best"', '<h1>A &#038; <b>B</b> &#8211; &#8220;B<i>e</i>st&#8221;</h1>', 'good'],
		['Café', '<p>Cafe\u0301</p>', 'good'],
		['Harbour Bakery', '<p>Only in the title</p>', 'good'],
		['Add to cart', '<p>Sold out</p>', 'problem'],
		['Add to cart', '<script>"Add to cart"</script><!-- Add to cart -->', 'problem'],
		['I ♥ bread', '<p>I &hearts; bread</p>', 'not known'],
		['I ♥ cakes', '<p>I &hearts; bread</p>', 'problem'],
	])('%j in %j: %s', async (mustContain, body, result) => {
		const found = await checked(page('Harbour Bakery', body), { options: { mustContain } });
		const hasText = { good: true, problem: false, 'not known': null }[result];
		expect(found).toMatchObject({ result, has_text: hasText });
		if (result === 'problem')
			expect(found.reason).toBe(`The page does not contain "${mustContain}"`);
	});

	it('is refused if an expression finds none', async () => {
		const more = { options: { mustContain: '={{ $json.gone }}' } };
		const { error } = await runNode(nowhere, run(more, [page('A')]));
		expect(error?.message).toMatch(/^The parameter "Must Contain" has no value/);
	});
});

describe('a page that is broken', () => {
	const FATAL = '<br />\n<b>Fatal error</b>:  Uncaught Error: x';
	const NO_DATABASE = 'rror establishing a database connection';

	it.each<[page: IDataObject, reason: string]>([
		[{ statusCode: 500, data: html('Error') }, 'responds with 500'],
		[{ statusCode: 302, data: '' }, 'responds with 302'],
		[{ statusCode: '404', data: html('Gone') }, 'responds with 404'],
		[{ error: { message: 'read ECONNRESET' } }, 'does not respond: read ECONNRESET'],
		[{ error: 'timeout' }, 'does not respond: timeout'],
		[{ statusCode: 200, data: '' }, 'is empty'],
		[{ statusCode: 200, data: ' \n ' }, 'is empty'],
	])('%j %s', async (given, is) => {
		expect(await checked(given)).toMatchObject({ result: 'problem', reason: `The page ${is}` });
	});

	it.each([
		[`${FATAL} in <b>/a/b.php</b> on line <b>12</b><br />`, 'a fatal error of PHP'],
		['PHP Parse error:  syntax error in /a/b.php on line 3', 'a fatal error of PHP'],
		['<p>There has been a critical error on this website.</p>', 'a critical error on this website'],
		[`<h1>E${NO_DATABASE}</h1>`, `an e${NO_DATABASE}`],
		['<div class="wp-die-message">Ha habido un error</div>', 'the error page of the CMS'],
	])('serves %s with status 200', async (body, what) => {
		expect(await checked(page('Harbour Bakery', body))).toMatchObject({
			...{ status: 200, result: 'problem', reason: `The page shows ${what}` },
		});
	});

	it('is not one that only speaks of errors', async () => {
		const body = '<p>Avoid the fatal error: too little salt.</p><script>"on line 3"</script>';
		expect(await checked(page('Blog', body))).toMatchObject({ result: 'good' });
	});
});

describe('what cannot be checked', () => {
	const whole = 'Title, size and text: ';

	it.each<[page: IDataObject, reason: RegExp]>([
		[{ statusCode: 200, data: { a: 1 } }, /^Title, size and text: the page is data/],
		[{ statusCode: 200, data: ['a'] }, /the page is data/],
		[{ statusCode: 200, data: '[object Object]' }, /the page is data/],
		[{ statusCode: 200 }, /the page is missing/],
		[{ statusCode: 200, data: null }, /the page is missing/],
		[{ data: html('A') }, /^Status: it is missing/],
		[{ statusCode: 'OK', data: html('A') }, /^Status: "OK" is not a status/],
		[{ statusCode: 20, data: html('A') }, /^Status: "20" is not a status/],
	])('is named: %j', async (given, reason) => {
		const found = await checked(given);
		expect(found).toMatchObject({ result: 'not known', reason: expect.stringMatching(reason) });
		expect(found.not_known).toEqual([found.reason]);
	});

	it('is the title, the size and the text where nothing was received', async () => {
		const { not_known: notKnown } = await checked({ error: { message: 'timeout' } });
		expect(notKnown).toEqual([`${whole}the page was not received`]);
	});

	it.each([
		[403, 'Just a moment...', ''],
		[503, 'Attention Required! | Cloudflare', ''],
		[200, 'Harbour Bakery', '<script>window._cf_chl_opt={}</script>'],
		[200, 'Harbour Bakery', 'Request unsuccessful. Incapsula incident ID: 1-2'],
	])('is the page of a firewall with status %i', async (statusCode, title, body) => {
		const firewall = { statusCode, data: html(title, body) };
		const found = await compared(page('Harbour Bakery'), firewall);
		expect(found).toMatchObject({
			...{ result: 'not known', title: null, characters: null, status: statusCode },
			reason: `A firewall responded instead of the site: "${title}"`,
		});
		const after = await compared(firewall, page('Harbour Bakery'));
		expect(after.result).toBe('not known');
	});
});

describe('the earlier check', () => {
	const comparing = { comparesEarlier: true, earlierCheck: '={{ $json.before }}' };

	it.each([undefined, null, '', {}, '{}', []])(
		'that is %j makes this a first check',
		async (before) => {
			const found = await checked({ ...page('A'), before: before as never }, comparing);
			expect(found).toMatchObject({ result: 'first check', reason: null, same: [], not_known: [] });
			const broken = await checked({ statusCode: 500, before: before as never }, comparing);
			expect(broken.result).toBe('problem');
		},
	);

	it('can be text of a table', async () => {
		const earlier = await checked(page('A'));
		const text = { ...earlier, status: '200', characters: String(earlier.characters) };
		for (const before of [text, JSON.stringify(text)]) {
			const found = await checked({ ...page('A'), before }, comparing);
			expect(found).toMatchObject({ result: 'good', earlier_status: 200 });
		}
	});

	it.each([{ title: 'A', status: 200 }, 'A', [1], 7])('that is %j is not one', async (before) => {
		const found = await checked({ ...page('A'), before: before as never }, comparing);
		const reason = 'Earlier check: it is not an output item of this operation';
		expect(found).toMatchObject({ result: 'not known', reason });
	});

	it('that found a problem says nothing of title and size', async () => {
		const found = await compared({ statusCode: 500, data: html('Error') }, page('Harbour Bakery'));
		expect(found).toMatchObject({
			result: 'not known',
			reason: 'Title and size: the page had a problem in the earlier check',
			differs: ['Status: 200, before 500'],
		});
	});

	it('is not asked for without Compare with Earlier Check', async () => {
		expect(await checked(page('A'))).toMatchObject({ result: 'good', earlier_status: null });
	});
});

describe('the size', () => {
	const sized = (length: number) => page('A', 'x'.repeat(length - html('A', '').length));

	it.each<[now: number, options: object, result: string]>([
		[500, {}, 'good'],
		[499, {}, 'problem'],
		[2000, {}, 'good'],
		[2001, {}, 'problem'],
		[900, { smallestSize: 90, largestSize: 110 }, 'good'],
		[899, { smallestSize: 90, largestSize: 110 }, 'problem'],
		[1101, { smallestSize: 90, largestSize: 110 }, 'problem'],
	])('of %i characters instead of 1000 with the bounds %j: %s', async (now, options, result) => {
		const found = await compared(sized(1000), sized(now), options);
		const size = `${now} characters, ${Math.round(now / 10)}% of 1000 before`;
		expect(found).toMatchObject({ result, characters: now, earlier_characters: 1000 });
		expect(found[result === 'good' ? 'same' : 'differs']).toContain(`Size: ${size}`);
		if (result === 'problem') expect(found.reason).toBe(`The page has ${size}`);
	});
});

it('checks each item with its own page and its own earlier check', async () => {
	const items = [page('A'), page('B'), { statusCode: 503 }];
	const { items: found } = await runNode(nowhere, run({}, items));
	expect(found.map(({ json, pairedItem }) => [json.title, json.result, pairedItem])).toEqual([
		['A', 'good', { item: 0 }],
		['B', 'good', { item: 1 }],
		[null, 'problem', { item: 2 }],
	]);
});

it.each(['<', '<script>', '<!--', '<title', '</', '<b', '&#1', '&a', 'fatal error: '])(
	'reads a page full of "%s" to its end',
	async (part) => {
		const data = `<title>A</title>${part.repeat(400_000)}`;
		expect(await checked({ statusCode: 200, data })).toMatchObject({ title: 'A' });
	},
);
