import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { CredentialFields } from '../access/credential';
import { accountIn, CredentialProblem, maximumOf } from '../access/credential';
import { isBlank } from './field';

export interface Account extends ReturnType<typeof accountIn> {
	/** Without slashes at the end. */
	baseURL: string;
	/** Requests per minute. */
	cap: number;
}

/** @throws NodeOperationError that names the field, and never repeats what is in it: that may be a password */
export function checkCredential(node: INode, credential: CredentialFields): Account {
	const name = node.credentials?.siteManagementApi?.name;
	try {
		const { requestsPerMinute } = credential;
		const account = accountIn(credential, name ? `the credential "${name}"` : 'the credential');
		return {
			...account,
			baseURL: String(credential.baseUrl).trim().replace(/\/+$/, ''),
			cap: isBlank(requestsPerMinute)
				? Infinity
				: maximumOf('Requests per Minute', requestsPerMinute, 'as many as the service allows'),
		};
	} catch (error) {
		const { brief, todo } = error instanceof CredentialProblem ? error : unreadable(error);
		throw new NodeOperationError(node, `The ${brief}`, {
			description: `Open the node's credential and ${todo}. Nothing was sent.`,
		});
	}
}

/** Leave out the error's own message: it may contain a secret. */
const unreadable = (error: unknown) => ({
	brief: `credential cannot be read (${error instanceof Error ? error.name : typeof error})`,
	todo: 'save it again. If it has expressions, check what they return',
});
