import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { countChange } from './counts';
import { accountIn, checkTarget } from './credential';
import type { Deed } from './deed';
import { DEED, Refused, refusalOf } from './deed';
import { isLimited } from './limits';

/**
 * Marks the credential's own test. n8n copies this key of the declarative request into its options; no field of
 * another node can set it to `true`.
 */
export const TEST = 'siteManagementTest';

/** Path of the test: the shortest list that each account has. */
export const TEST_PATH = '/tags';

type Options = IHttpRequestOptions & { [DEED]?: Deed; [TEST]?: unknown };

/**
 * Adds the token to a request. A credential with limits signs only its test and requests with a deed.
 * @throws Refused or CredentialProblem, which n8n shows
 */
export function signed(
	credential: ICredentialDataDecryptedObject,
	options: Options,
): IHttpRequestOptions {
	const deed = Object.hasOwn(options, DEED) ? options[DEED] : undefined;
	const { base, apiToken, limits } = accountIn(credential, deed?.by);
	checkTarget(options, base);
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
