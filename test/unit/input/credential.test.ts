import { checkCredential } from '../../../nodes/shared/client/request';
import { filledIn } from '../../support/credential';
import { itemsOf } from '../../support/items';

/** What of a credential can be used, and what is said of one that can not. */

const node = itemsOf().item.getNode();
const right = filledIn({ baseUrl: 'https://api.example.com/api/v6', apiToken: 'abc' });
const check = (changes: Record<string, unknown> = {}) =>
	checkCredential(node, { ...right, ...changes });

it.each([
	['https://api.example.com/api/v6', 'https://api.example.com/api/v6'],
	[' https://api.example.com/api/v6//\n', 'https://api.example.com/api/v6'],
	['http://127.0.0.1:4010/api/v6', 'http://127.0.0.1:4010/api/v6'],
	['http://localhost/api', 'http://localhost/api'],
])('the base URL %j', (baseUrl, baseURL) => {
	expect(check({ baseUrl })).toMatchObject({
		baseURL,
		apiToken: 'abc',
		limits: { access: 'Everything' },
		cap: Infinity,
	});
});

const PLAIN = 'must be a plain URL without ?, # or a username';

it.each([
	['', 'is empty'],
	[' ', 'is empty'],
	[undefined, 'is empty'],
	[[], 'is not a URL'],
	[42, 'is not a URL'],
	[true, 'is not a URL'],
	[{ url: 'https://secret.example.com' }, 'is not a URL'],
	['api.example.com', 'is not a URL'],
	['https://', 'is not a URL'],
	['http://api.example.com', 'must start with https://'],
	['ftp://127.0.0.1', 'must start with https://'],
	['ftp://api.example.com', 'must start with https://'],
	['https://api.example.com/?a=secret', PLAIN],
	['https://api.example.com/#secret', PLAIN],
	['https://secret@api.example.com', PLAIN],
	['https://:secret@api.example.com', PLAIN],
])('the base URL %j is refused, and not repeated', (baseUrl, problem) => {
	expect(() => check({ baseUrl })).toThrow(
		expect.objectContaining({
			message: `The Base URL of the credential ${problem}`,
			description:
				"Open the node's credential and set Base URL to the address of the service with its version segment, such as https://api.example.com/api/v6. Nothing was sent.",
		}),
	);
});

const BAD_CHARACTER =
	'contains a space, a line break or another character that is not allowed in a token';

it.each([
	['', 'is empty'],
	[' ', 'is empty'],
	[undefined, 'is empty'],
	[123, BAD_CHARACTER],
	[['abc'], BAD_CHARACTER],
	['abc\n', BAD_CHARACTER],
	[' abc', BAD_CHARACTER],
	['a c', BAD_CHARACTER],
	['äbc', BAD_CHARACTER],
])('the token %j is refused', (apiToken, problem) => {
	expect(() => check({ apiToken })).toThrow(
		expect.objectContaining({
			message: `The API Token of the credential ${problem}`,
			description:
				"Open the node's credential and enter the token exactly as shown in the dashboard. Nothing was sent.",
		}),
	);
});

it.each([
	[undefined, Infinity],
	[null, Infinity],
	['', Infinity],
	[0, Infinity],
	['0', Infinity],
	[60, 60],
	[' 60 ', 60],
])('of %j requests per minute the cap is %p', (requestsPerMinute, cap) => {
	expect(check({ requestsPerMinute }).cap).toBe(cap);
});

it.each([-1, 1.5, 'many', [60], true])('%j requests per minute are refused', (value) => {
	expect(() => check({ requestsPerMinute: value })).toThrow(
		expect.objectContaining({
			message: 'The Requests per Minute of the credential is not a whole number of 0 or more',
			description:
				"Open the node's credential and enter a whole number. 0 means as many as the service allows. Nothing was sent.",
		}),
	);
});

it('an unknown Access is refused with the choices', () => {
	expect(check({ access: 'readOnly' }).limits.access).toBe('Read Only');
	expect(() => check({ access: 'some' })).toThrow(
		expect.objectContaining({
			message: 'The Access of the credential is not one of its options',
			description: expect.stringMatching(/choose .+, .+ or [^,]+\. Nothing was sent\.$/),
		}),
	);
});

it('refuses values that cannot be read', () => {
	const odd = { toString: 1, valueOf: 1 };
	expect(() => check({ apiToken: odd })).toThrow(BAD_CHARACTER);
	expect(() => check({ baseUrl: odd })).toThrow('The Base URL of the credential is not a URL');
	const broken = Object.defineProperty({ ...right }, 'apiToken', {
		get: () => {
			throw new TypeError('secret');
		},
	});
	expect(() => checkCredential(node, broken)).toThrow(
		expect.objectContaining({
			name: 'NodeOperationError',
			message: 'The credential cannot be read (TypeError)',
			description:
				"Open the node's credential and save it again. If it has expressions, check what they return. Nothing was sent.",
		}),
	);
});
