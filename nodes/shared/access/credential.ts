import type { LimitFields, Limits } from './limits';
import { CredentialProblem, limitsOf } from './limits';
import { serviceAt } from './target';

/** What signing needs of the fields of the credential. */
export interface AccountFields extends LimitFields {
	baseUrl?: unknown;
	apiToken?: unknown;
}

/** Characters that a header can carry; a copied token often ends with a line break. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * @param by what messages call the credential
 * @throws CredentialProblem
 */
export function accountIn(
	fields: AccountFields,
	by?: string,
): { base: URL; apiToken: string; limits: Limits } {
	return {
		base: serviceAt(fields.baseUrl),
		apiToken: tokenOf(fields.apiToken),
		limits: limitsOf(fields, by),
	};
}

function tokenOf(token: unknown): string {
	const todo = 'enter the token exactly as shown in the dashboard';
	if ((token ?? '') === '' || (typeof token === 'string' && token.trim() === '')) {
		throw new CredentialProblem('API Token', 'is empty', todo);
	}
	if (typeof token === 'string' && TOKEN.test(token)) return token;
	throw new CredentialProblem(
		'API Token',
		'contains a space, a line break or another character that is not allowed in a token',
		todo,
	);
}
