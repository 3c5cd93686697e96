import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { countChange } from './counts';
import { accountIn, checkTarget } from './credential';
import type { Deed } from './deed';
import { DEED, permit, Refused } from './deed';
import { isLimited } from './limits';

/**
 * The key of the credential's own test. n8n copies the keys of a declarative request into its options; no field of
 * another node can set one of this name to `true`.
 */
export const TEST = 'siteManagementTest';

/** What it asks for: the shortest list that each account has. */
export const TEST_PATH = '/tags';

const isChange = ({ method = 'GET' }: IHttpRequestOptions) => method !== 'GET';

type Options = IHttpRequestOptions & { [DEED]?: Deed; [TEST]?: unknown };

/**
 * A request with the token. A credential with limits signs what its own nodes have judged, and its own test.
 * @throws Refused or CredentialProblem, which n8n shows
 */
export function signed(
	credential: ICredentialDataDecryptedObject,
	options: Options,
): IHttpRequestOptions {
	const deed = Object.hasOwn(options, DEED) ? options[DEED] : undefined;
	const { base, apiToken, limits } = accountIn(credential, deed?.by);
	checkTarget(options, base);
	const isMarked = Object.hasOwn(options, TEST) && options[TEST] === true;
	const isTest = isMarked && options.url === TEST_PATH && !isChange(options);
	if (isLimited(limits) && !isTest) {
		if (!deed) {
			throw new Refused(
				'This credential has limits, which only the nodes of this package can check',
				'Nothing was sent. Use the node "Site Management API" with its operation Request, or a credential without limits.',
			);
		}
		permit(limits, deed);
		countChange(limits, deed);
	}
	const others = Object.entries(options.headers ?? {}).filter(
		([name]) => name.toLowerCase() !== 'authorization',
	);
	return {
		// n8n hands in again what it has from here when the service answers with 401.
		...options,
		headers: { ...Object.fromEntries(others), Authorization: `Bearer ${apiToken}` },
		// n8n would send the token on to the target of a redirect.
		sendCredentialsOnCrossOriginRedirect: false,
	};
}
