import { urlFrom } from '../lib';
import { type Effect, EFFECTS, isEffect } from './effects';

/** Limits of a credential; the token itself allows everything. */
export interface Limits {
	/** Name of the credential in messages. */
	by: string;
	access: string;
	effects: ReadonlySet<Effect>;
	/** IDs of the allowed sites, and of tags whose sites are allowed; undefined for all. */
	only?: { sites: readonly string[]; tags: readonly string[] };
	alsoAllowed: ReadonlyArray<{ method: string; path: string }>;
	/** Maximum changes and harmful changes per execution; Infinity for no limit. */
	maxChanges: number;
	maxHarmful: number;
}

/** A field of the credential is unusable. The message never contains its value. */
export class CredentialProblem extends Error {
	/** @param todo continues "Open the credential and …" */
	constructor(
		readonly brief: string,
		readonly todo: string,
	) {
		super(`${brief}. Open the credential and ${todo}.`);
	}
}

const ACCESS = new Map<unknown, { name: string; effects?: readonly Effect[] }>([
	['everything', { name: 'Everything', effects: EFFECTS }],
	['readOnly', { name: 'Read Only', effects: ['reads'] }],
	['selected', { name: 'Selected' }],
]);

/** Fields of the credential, as filled in or returned by an expression. */
export type CredentialFields = Readonly<Record<string, unknown>>;

/** What an empty maximum of changes means, and what to use instead of 0. */
const NO_LIMIT = 'no limit. To allow no changes, choose Access → Read Only';

/** Refuses an empty field: a failed expression must not allow everything. @throws CredentialProblem */
export function limitsOf(fields: CredentialFields, by = 'this credential'): Limits {
	const chosen = ACCESS.get(fields.access);
	if (!chosen) {
		throw new CredentialProblem(
			'Access of the credential is not one of its options',
			'choose Everything, Read Only or Selected',
		);
	}
	return {
		by,
		access: chosen.name,
		effects: new Set(chosen.effects ?? ['reads', ...allowedIn(fields.allowed)]),
		only: onlyIn(fields),
		alsoAllowed: requestsIn(fields.alsoAllowed),
		maxChanges: maximumOf('Changes per Execution', fields.maxChanges, NO_LIMIT),
		maxHarmful: maximumOf('Harmful Changes per Execution', fields.maxHarmful, NO_LIMIT),
	};
}

function allowedIn(value: unknown): Effect[] {
	if (Array.isArray(value) && value.every(isEffect)) return value;
	throw new CredentialProblem(
		'Allowed of the credential is not a list of its options',
		'choose what is allowed. To allow only reading, choose none of the options',
	);
}

function onlyIn({ siteAccess, onlySites, onlyTags }: CredentialFields): Limits['only'] {
	if (siteAccess === 'all') return undefined;
	if (siteAccess !== 'selected') {
		throw new CredentialProblem(
			'Sites of the credential is not one of its options',
			'choose All or Selected',
		);
	}
	const only = {
		sites: idsIn('Only Sites', onlySites, /^[\w-]+$/),
		// Source: Part A, 2.15.
		tags: idsIn('Only Tags', onlyTags, /^\d+$/),
	};
	if (only.sites.length + only.tags.length > 0) return only;
	throw new CredentialProblem(
		'The credential has neither Only Sites nor Only Tags',
		'enter the IDs of sites or tags, separated by commas',
	);
}

export const countsChanges = ({ maxChanges, maxHarmful }: Limits): boolean =>
	maxChanges < Infinity || maxHarmful < Infinity;

export const isLimited = (limits: Limits): boolean =>
	limits.only !== undefined || limits.effects.size < EFFECTS.length || countsChanges(limits);

/** IDs of the allowed sites, in lower case. @param tagged sites with one of Only Tags */
export const allowedBy = ({ sites }: NonNullable<Limits['only']>, tagged: readonly string[]) =>
	new Set([...sites, ...tagged].map((id) => id.toLowerCase()));

/** Why a site is not allowed, by the fields that are set. */
export const notAmong = ({ sites, tags }: NonNullable<Limits['only']>): string =>
	[sites.length > 0 && 'is not in its Only Sites', tags.length > 0 && 'has none of its Only Tags']
		.filter(Boolean)
		.join(' and ');

const partsOf = (text: string, separator: string | RegExp): string[] =>
	text
		.split(separator)
		.map((part) => part.trim())
		.filter(Boolean);

/** IDs from a text such as `7, 8`, or from a list. */
function idsIn(name: string, value: unknown, id: RegExp): string[] {
	const ids = [value ?? ''].flat().flatMap((part) => partsOf(String(part), /[,;\n]/));
	if (ids.every((each) => id.test(each))) return ids;
	const one = name.replace('Only ', '').replace(/s$/, '');
	throw new CredentialProblem(
		`${name} of the credential is not a list of IDs`,
		`enter IDs, separated by commas, not names or addresses. ${one}: Get Many shows the IDs`,
	);
}

/** Parses lines such as `POST /tags/{id}/update`; a part in braces or `*` matches any part. */
function requestsIn(value: unknown): Array<{ method: string; path: string }> {
	return partsOf(String(value ?? ''), '\n').map((line) => {
		const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE)\s+(\/\S+)$/.exec(line) ?? [];
		if (method && path) return { method, path };
		throw new CredentialProblem(
			'Also Allowed of the credential has a line that is not a method and a path',
			'write each request in its own line, such as POST /tags/{id}/update',
		);
	});
}

/** A whole number that limits something; empty for no limit. @param none what empty means */
function maximumOf(name: string, value: unknown, none: string): number {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === '') return Infinity;
	const maximum = typeof text === 'string' || typeof text === 'number' ? Number(text) : NaN;
	if (Number.isSafeInteger(maximum) && maximum > 0) return maximum;
	throw new CredentialProblem(
		`${name} of the credential is not a whole number of 1 or more`,
		`enter one, or leave it empty for ${none}`,
	);
}

/** `baseURL` has no slashes at the end; `cap` is in requests per minute. @throws CredentialProblem */
export const accountIn = (fields: CredentialFields, by?: string) => ({
	base: serviceAt(fields.baseUrl),
	baseURL: String(fields.baseUrl).trim().replace(/\/+$/, ''),
	apiToken: tokenOf(fields.apiToken),
	cap: maximumOf('Requests per Minute', fields.requestsPerMinute, 'as many as the service allows'),
	documentUrl: documentAt(fields.apiDocumentUrl),
	limits: limitsOf(fields, by),
});

/** Blank for the document below the Base URL. */
function documentAt(value: unknown): string {
	const text = String(value ?? '').trim();
	const url = urlFrom(text);
	const isSafe = url?.protocol === 'https:' || (url && LOOPBACK.test(url.hostname));
	if (text === '' || (isSafe && !url.username && !url.password)) return text;
	throw new CredentialProblem(
		'API Document URL of the credential is not an https address',
		'enter the address of the OpenAPI document in JSON, or leave it empty for openapi.json below the Base URL',
	);
}

/** Characters allowed in a header; a copied token often ends with a line break. */
const TOKEN = /^[\x21-\x7e]+$/;

function tokenOf(token: unknown): string {
	if (typeof token === 'string' && TOKEN.test(token)) return token;
	const problem =
		String(token ?? '').trim() === ''
			? 'is empty'
			: 'contains a space, a line break or another character that is not allowed in a token';
	throw new CredentialProblem(
		`API Token of the credential ${problem}`,
		'enter the token exactly as shown in the dashboard',
	);
}

/** Loopback hosts, which may be reached unencrypted. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function serviceAt(baseUrl: unknown): URL {
	const bad = (problem: string) =>
		new CredentialProblem(
			`Base URL of the credential ${problem}`,
			'set Base URL to the address of the service with its version segment, such as https://api.example.com/api/v6',
		);
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : (baseUrl ?? '');
	if (text === '') throw bad('is empty');
	const url = typeof text === 'string' && urlFrom(text);
	if (!url) throw bad('is not a URL');
	const isLoopback = url.protocol === 'http:' && LOOPBACK.test(url.hostname);
	if (url.protocol !== 'https:' && !isLoopback) throw bad('must start with https://');
	if (/[?#]/.test(url.href) || url.username || url.password) {
		throw bad('must be a plain URL without ?, # or a username');
	}
	return url;
}
