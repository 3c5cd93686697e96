import { readFile, stat } from 'node:fs/promises';
import { LOOPBACK } from '../../nodes/shared/access/credential';
import { UserError } from '../../sandbox/lib/errors';

export interface Access {
	token?: string;
	timeoutMs: number;
}

const MAX_REDIRECTS = 5;

/** The largest document that is read, in bytes; the service's own has less than one megabyte. */
const MAX_BYTES = 20_000_000;

/** What a header can hold. */
export const TOKEN_FORM = /^[\x21-\x7e]+$/;

const tooLarge = (from: string) =>
	new UserError(
		`${from} is larger than ${MAX_BYTES / 1_000_000} MB, which no OpenAPI document of the service is.\nGive the document itself.`,
	);

/** Of whichever protocol, as opposed to the path of a file. */
export const isUrl = (source: string) => /^[a-z][\w+.-]+:\/\//i.test(source);

/**
 * The text of a file, or of what a URL answers with.
 * @throws UserError
 */
export async function readSource(source: string, access: Access): Promise<string> {
	if (isUrl(source)) return await download(urlOf(source, access), access);
	if (access.token !== undefined) {
		throw new UserError(`--token is for a URL, and ${source} is a file.\nLeave it out.`);
	}
	try {
		if ((await stat(source)).size > MAX_BYTES) throw tooLarge(source);
		return await readFile(source, 'utf8');
	} catch (error) {
		if (error instanceof UserError) throw error;
		const { code } = error as NodeJS.ErrnoException;
		const reasons: Record<string, string> = {
			ENOENT: 'There is no file',
			EISDIR: 'That is a folder, not a file:',
			EACCES: 'This file may not be read:',
		};
		const reason = reasons[code ?? ''] ?? `The file cannot be read (${code}):`;
		throw new UserError(`${reason} ${source}\nGive the path of the document, or its URL.`);
	}
}

function urlOf(source: string, { token }: Access): URL {
	const url = URL.canParse(source) ? new URL(source) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new UserError(
			'That is no URL with http:// or https://.\nGive the path or the URL of the document.',
		);
	}
	if (url.username || url.password) {
		throw new UserError(
			'The URL contains a username or a password.\nTake it out; the token goes with --token.',
		);
	}
	if (token === undefined) return url;
	if (url.protocol !== 'https:' && !LOOPBACK.test(url.hostname)) {
		throw new UserError('The token is only sent over https.\nGive the URL with https://.');
	}
	if (!TOKEN_FORM.test(token)) {
		throw new UserError(
			'The token is empty, or contains a space, a line break or another character that is not allowed in a token.\nCopy it again.',
		);
	}
	return url;
}

/** Without the query, which may hold what is secret. */
const shown = ({ origin, pathname }: URL) => `${origin}${pathname}`;

async function download(url: URL, { token, timeoutMs }: Access): Promise<string> {
	const signal = AbortSignal.timeout(timeoutMs);
	const headers = {
		Accept: 'application/json, application/yaml;q=0.9, */*;q=0.1',
		...(token !== undefined && { Authorization: `Bearer ${token}` }),
	};
	let at = url;
	try {
		for (let count = 0; count <= MAX_REDIRECTS; count++) {
			const response = await fetch(at, { headers, redirect: 'manual', signal });
			const target = redirectOf(response, at);
			if (!target) return await textOf(response, at);
			await response.body?.cancel();
			// The token is for this host alone.
			if (target.origin !== url.origin) {
				throw new UserError(
					`${shown(at)} redirects to another address, ${shown(target)}, which the node does not follow.\nIf that is right, give it as the URL.`,
				);
			}
			at = target;
		}
	} catch (error) {
		if (error instanceof UserError) throw error;
		throw unreached(error as Error & { cause?: NodeJS.ErrnoException }, at, timeoutMs);
	}
	throw new UserError(
		`${shown(url)} redirects without end.\nGive the address of the document itself.`,
	);
}

function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
	const location = headers.get('Location');
	if (status < 300 || status > 399 || location === null) return undefined;
	return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

const reasons: Record<number, string> = {
	401: 'it wants an API token.\nGive a valid one with --token.',
	403: 'the token may not do this, or the account is inactive.\nAsk the owner of the account.',
	404: 'there is no such document.\nGive the address of the API with /openapi.json behind it.',
	429: 'the rate limit is used up.\nTry again in a minute.',
};

async function textOf(response: Response, from: URL): Promise<string> {
	const { ok, status } = response;
	if (ok) return await limitedText(response, from);
	await response.body?.cancel();
	const reason =
		reasons[status] ?? `it returned no document.\nTry again later, or look at the URL.`;
	throw new UserError(`${shown(from)} answered with ${status}: ${reason}`);
}

async function limitedText({ body }: Response, from: URL): Promise<string> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body ?? []) {
		size += chunk.length;
		// Leaving the loop cancels the rest.
		if (size > MAX_BYTES) throw tooLarge(shown(from));
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

function unreached(
	{ name, cause }: Error & { cause?: NodeJS.ErrnoException },
	from: URL,
	timeoutMs: number,
) {
	if (name === 'TimeoutError') {
		return new UserError(
			`${shown(from)} did not answer within ${timeoutMs / 1000} seconds.\nTry again, or give it longer with --timeout.`,
		);
	}
	const reason = cause?.code ?? cause?.message ?? 'the connection broke';
	return new UserError(
		`${shown(from)} could not be reached (${reason}).\nLook at the URL and the network.`,
	);
}
