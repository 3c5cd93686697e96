import path from 'node:path';
import { ExecutionLifecycleHooks } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	ICredentialsHelper,
	type ICredentialType,
	type IHttpRequestOptions,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** What n8n's engine is handed to run nodes with. */

process.env.N8N_LOG_LEVEL ??= 'silent';
// The engine writes a configuration on its first use.
process.env.N8N_USER_FOLDER ??= path.resolve(__dirname, '../.tmp/engine');

/** Keeps one credential, as n8n's database would, and signs requests as the credential type says. */
export class Credentials extends ICredentialsHelper {
	/** @param typeOf a credential type by its name */
	constructor(
		private readonly typeOf: (name: string) => ICredentialType,
		private readonly values: ICredentialDataDecryptedObject,
	) {
		super();
	}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		options: IHttpRequestOptions,
	) {
		const { authenticate } = this.typeOf(type);
		if (typeof authenticate !== 'function') throw new Error('Only a function is known');
		return await authenticate(credentials, options);
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getDecrypted() {
		return { ...this.values };
	}

	async getCredentials(): Promise<never> {
		throw new Error('Credentials are kept decrypted here');
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}

	getCredentialsProperties(type: string) {
		return this.typeOf(type).properties;
	}
}

export function additionalData(credentials: ICredentialsHelper): IWorkflowExecuteAdditionalData {
	const url = 'http://127.0.0.1/';
	return {
		hooks: new ExecutionLifecycleHooks('manual', '1', {
			id: 'workflow-under-test',
		} as IWorkflowBase),
		credentialsHelper: credentials,
		restApiUrl: url,
		instanceBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: url,
		webhookTestBaseUrl: url,
		mcpBaseUrl: url,
		mcpTestBaseUrl: url,
		currentNodeExecutionIndex: 0,
		variables: {},
		logAiEvent: () => {},
		setExecutionStatus: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
