import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { urlFrom, valueAt } from '../lib';
import { accountIn, isLimited } from './credential';
import { countChange, type Deed, DEED, refusalOf, Refused } from './deed';

/** Marks the credential's own test in the options that n8n makes; no field of another node can set it to `true`. */
export const TEST = 'siteManagementTest';

/** Path of the test: the shortest list that each account has. */
export const TEST_PATH = '/tags';

/** Adds the token. With limits, signs only its test and requests with a deed. @throws Refused; CredentialProblem */
export function signed(
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions & { [DEED]?: Deed; [TEST]?: unknown },
): IHttpRequestOptions {
	const deed = Object.hasOwn(options, DEED) ? options[DEED] : undefined;
	const { base, apiToken, limits } = accountIn(credential, deed?.by);
	checkTarget({ ...options }, base);
	const { method = 'GET', url } = options;
	const isMarked = Object.hasOwn(options, TEST) && options[TEST] === true;
	const isTest = isMarked && url === TEST_PATH && method === 'GET';
	if (isLimited(limits) && !isTest) {
		if (!deed) {
			throw new Refused(
				'This credential has limits, which only the nodes of this package can check',
				'Nothing was sent. Use the node "Site Management API" with its operation Request, or a credential without limits.',
			);
		}
		const refusal = refusalOf(limits, deed);
		if (refusal) throw refusal;
		countChange(limits, deed);
	}
	const others = Object.entries(options.headers ?? {}).filter(
		([name]) => name.toLowerCase() !== 'authorization',
	);
	return {
		// After a 401, n8n passes these options in again.
		...options,
		headers: { ...Object.fromEntries(others), Authorization: `Bearer ${apiToken}` },
		// By default n8n sends the token to the target of a redirect.
		sendCredentialsOnCrossOriginRedirect: false,
	};
}

/** n8n's request formats, of which the older one has `uri`. */
type RequestToSign = Readonly<Record<string, unknown>>;

/** URL to which n8n's HTTP client sends a request; joins base and URL as that client does. */
function urlOf({ baseURL = '', url, uri }: RequestToSign): URL {
	const asked = String(url ?? uri ?? '');
	const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(asked);
	const base = String(baseURL).replace(/\/?\/$/, '');
	const full = isAbsolute || base === '' ? asked : `${base}/${asked.replace(/^\/+/, '')}`;
	const sentTo = urlFrom(full);
	if (!sentTo) throw new Refused('The request does not have a valid URL');
	return sentTo;
}

/** Parts of a path as a server may read them; some servers decode more than once. */
function segmentsOf(pathname: string): string[] {
	let text = pathname;
	try {
		for (let round = 0; round < 3 && text.includes('%'); round++) text = decodeURIComponent(text);
	} catch {
		// Keep a path that cannot be decoded.
	}
	return text.split('/').filter(Boolean);
}

/** @throws Refused for a request that would send the token anywhere else */
function checkTarget(asked: RequestToSign, base: URL): void {
	const { proxy, rejectUnauthorized, skipSslCertificateValidation, agentOptions, headers } = asked;
	if (proxy) throw new Refused('The token is not sent through a proxy set in a node');
	const isUnchecked = [rejectUnauthorized, valueAt(agentOptions, 'rejectUnauthorized')].includes(
		false,
	);
	if (isUnchecked || skipSslCertificateValidation)
		throw new Refused('The token is not sent with "Ignore SSL Issues"');
	if (Object.keys(headers ?? {}).some((name) => name.trim().toLowerCase() === 'host')) {
		throw new Refused('The token is not sent with a "Host" header set in a node');
	}
	const target = urlOf(asked);
	if (target.origin !== base.origin || target.username || target.password) {
		throw new Refused(
			`This credential sends its token only to ${base.origin}, not to ${target.origin}`,
		);
	}
	const segments = segmentsOf(target.pathname);
	const leaves = segments.some((part) => /^\.\.?$|\\/.test(part.trim()));
	if (leaves || segmentsOf(base.pathname).some((part, index) => part !== segments[index])) {
		throw new Refused(
			`This credential sends its token only to paths under ${base.href}, not to ${target.pathname}`,
		);
	}
}
