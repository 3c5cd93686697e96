import { readFile } from 'node:fs/promises';
import { LOOPBACK } from '../../nodes/shared/access/credential';
import { UserError } from '../../sandbox/lib/errors';

/** What a header can hold. */
export const TOKEN_FORM = /^[\x21-\x7e]+$/;

const TIMEOUT_MS = 60_000;

/**
 * The text of a file, or of what a URL answers with.
 * @param token for the URL
 * @throws UserError
 */
export async function readSource(source: string, token?: string): Promise<string> {
	if (/^[a-z][\w+.-]+:\/\//i.test(source)) return await download(urlOf(source, token), token);
	return await readFile(source, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
		const reason = code === 'ENOENT' ? 'There is no file' : `The file cannot be read (${code}):`;
		throw new UserError(`${reason} ${source}\nGive the path of the document, or its URL.`);
	});
}

function urlOf(source: string, token?: string): URL {
	const url = URL.canParse(source) ? new URL(source) : undefined;
	if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
		throw new UserError(
			'That is no URL with http:// or https:// and without a user name.\nGive the path or the URL of the document.',
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

async function download(url: URL, token?: string): Promise<string> {
	// Without the query, which may hold what is secret.
	const shown = `${url.origin}${url.pathname}`;
	// A redirect to another host does not get the token: fetch leaves it out.
	const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	try {
		const response = await fetch(url, { headers, signal });
		const text = await response.text();
		if (response.ok) return text;
		throw new UserError(
			`${shown} answered with ${response.status}.\nLook at the URL and the token.`,
		);
	} catch (error) {
		if (error instanceof UserError) throw error;
		const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
		throw new UserError(
			`${shown} could not be reached (${cause?.code ?? cause?.message ?? message}).\nLook at the URL and the network.`,
		);
	}
}
