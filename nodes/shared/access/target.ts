import type { IHttpRequestOptions } from 'n8n-workflow';
import { urlFrom } from '../lib/urlFrom';
import { CredentialProblem } from './limits';

/** The host of this machine: what is sent to it may go unencrypted. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A request that is not signed. */
export class Refused extends Error {
	override name = 'Refused';

	/** @param todo a sentence on what a person can do */
	constructor(
		readonly why: string,
		readonly todo = 'Nothing was sent.',
	) {
		super(`${why}. ${todo}`);
	}
}

export interface RequestToSign extends Omit<Partial<IHttpRequestOptions>, 'agentOptions'> {
	/** Where n8n's older requests, such as those of its HTTP Request node, have their URL. */
	uri?: unknown;
	form?: unknown;
	formData?: unknown;
	rejectUnauthorized?: unknown;
	agentOptions?: unknown;
}

/**
 * The base URL of a credential.
 * @throws CredentialProblem
 */
export function serviceAt(baseUrl: unknown): URL {
	const bad = (problem: string) =>
		new CredentialProblem(
			'Base URL',
			problem,
			'set Base URL to the address of the service with its version segment, such as https://api.example.com/api/v6',
		);
	const text = typeof (baseUrl ?? '') === 'string' ? String(baseUrl ?? '').trim() : undefined;
	if (text === '') throw bad('is empty');
	const url = urlFrom(text ?? '');
	if (text === undefined || !url) throw bad('is not a URL');
	const isLoopback = url.protocol === 'http:' && LOOPBACK.test(url.hostname);
	if (url.protocol !== 'https:' && !isLoopback) throw bad('must start with https://');
	if (/[?#]/.test(text) || url.username || url.password) {
		throw bad('must be a plain URL without ?, # or a username');
	}
	return url;
}

/** Where the HTTP client of n8n sends a request, by its own rules for a base and a URL. */
function urlOf({ baseURL = '', url, uri }: RequestToSign): URL {
	const asked = String(url ?? uri ?? '');
	const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(asked);
	const base = String(baseURL).replace(/\/?\/$/, '');
	const full = isAbsolute || base === '' ? asked : `${base}/${asked.replace(/^\/+/, '')}`;
	const sentTo = urlFrom(full);
	if (!sentTo) throw new Refused('The request does not have a valid URL');
	return sentTo;
}

/** The path of a request below the base URL. */
export interface Path {
	/** As a lenient server could read it: decoded, in lower case, without empty ones and without `.json`. */
	segments: string[];
	/** The same in the letters that were given: IDs may be told apart by them. */
	given: string[];
	/** Whether servers could read it in different ways. */
	isOdd: boolean;
}

/** @throws Refused where the request leaves the service */
export function pathOf(asked: RequestToSign, base: URL): Path {
	const target = urlOf(asked);
	if (target.origin !== base.origin || target.username || target.password) {
		throw new Refused(
			`This credential sends its token only to ${base.origin}, not to ${target.origin}`,
		);
	}
	const given = read(target.pathname);
	const below = read(base.pathname).segments;
	const leaves = given.segments.some((segment) => /^\.\.?$|\\/.test(segment));
	if (leaves || below.some((segment, index) => segment !== given.segments[index])) {
		throw new Refused(
			`This credential sends its token only to paths under ${base.href}, not to ${target.pathname}`,
		);
	}
	const segments = given.segments.slice(below.length);
	const last = segments.pop();
	if (last !== undefined) segments.push(last.replace(/(?<=.)\.[a-z]{2,5}$/, ''));
	return { segments, given: given.given.slice(below.length), isOdd: given.isOdd };
}

function read(pathname: string): Path {
	const text = decoded(pathname);
	const slashes = (path: string) => path.split('/').length;
	const given = text
		.split('/')
		.map((segment) => segment.trim())
		.filter(Boolean);
	return {
		segments: given.map((segment) => segment.toLowerCase()),
		given,
		isOdd: /[\p{Cc}%\\;?#]/u.test(text) || slashes(text) !== slashes(pathname),
	};
}

/** Some servers decode more than once. */
function decoded(pathname: string): string {
	let text = pathname;
	try {
		for (let again = 0; again < 3 && text.includes('%'); again++) text = decodeURIComponent(text);
		return text;
	} catch {
		return text;
	}
}

/** Headers and parameters by which a request may ask to be taken for another one. */
const DISGUISE =
	/^(x-(http-)?method(-override)?|x-original-(url|method)|x-rewrite-(url|method)|x-forwarded-(uri|method)|_method)$/;

const isDisguise = (name: string) =>
	DISGUISE.test(name.trim().toLowerCase().replaceAll('_', '-').replace(/^-/, '_').split('[')[0]!);

/**
 * Refuses what could bring the token elsewhere, or be taken for another request.
 * @throws Refused
 */
export function checkTransport(asked: RequestToSign): void {
	const { proxy, rejectUnauthorized, skipSslCertificateValidation, agentOptions } = asked;
	if (proxy) {
		throw new Refused('The token is not sent through a proxy set in a node');
	}
	const agent = agentOptions as { rejectUnauthorized?: unknown } | undefined;
	const isUnchecked =
		skipSslCertificateValidation || [rejectUnauthorized, agent?.rejectUnauthorized].includes(false);
	if (isUnchecked) {
		throw new Refused('The token is not sent with "Ignore SSL Issues"');
	}
	const { search } = urlOf(asked);
	const names = [
		...Object.keys(asked.headers ?? {}),
		...Object.keys(asked.qs ?? {}),
		...new URLSearchParams(search).keys(),
		...[asked.body, asked.form, asked.formData].flatMap((each) =>
			typeof each === 'object' && each !== null ? Object.keys(each) : [],
		),
	];
	const disguise = names.find(isDisguise);
	if (disguise !== undefined) {
		throw new Refused(`"${disguise}" could turn this into a different request`);
	}
}
