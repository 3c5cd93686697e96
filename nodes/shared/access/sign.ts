import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import type { Rules, Vouched } from './check';
import { checkLimits, deedOf, VOUCHED } from './check';
import { countChange } from './counts';
import { accountIn } from './credential';

/**
 * A request with the token, whichever node it is of; signed is what the credential allows and nothing else.
 * @throws Refused or CredentialProblem, which n8n shows
 */
export function signed(
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions & { [VOUCHED]?: Vouched },
	rules: Rules,
): IHttpRequestOptions {
	const { [VOUCHED]: vouched = {}, ...plain } = options;
	const { base, apiToken, limits } = accountIn(credential, vouched.by);
	const deed = deedOf(plain, base, rules);
	const what = `${deed.verb} /${deed.path.segments.join('/')}`;
	checkLimits(limits, deed, what, vouched);
	if (!vouched.isRepeated) {
		countChange(limits, deed, what, vouched, vouched.execution ?? credential.execution);
	}
	const others = Object.entries(plain.headers ?? {}).filter(
		([name]) => name.toLowerCase() !== 'authorization',
	);
	return {
		...plain,
		headers: { ...Object.fromEntries(others), Authorization: `Bearer ${apiToken}` },
		// n8n would send the token on to the target of a redirect.
		sendCredentialsOnCrossOriginRedirect: false,
	};
}
