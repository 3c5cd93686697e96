import 'reflect-metadata';
import path from 'node:path';
import { ExecutionLifecycleHooks, LoadOptionsContext } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	ICredentialsHelper,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeParameters,
	type INodeType,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { filledIn } from '../credential';

/** A workflow of one node in n8n's engine, and the account that it uses: what all runs, lists and polls begin with. */

process.env.N8N_LOG_LEVEL ??= 'silent';
// The engine writes a configuration on its first use.
process.env.N8N_USER_FOLDER ??= path.resolve(__dirname, '../../.tmp/engine');

const PACKAGE = 'n8n-nodes-site-management';

export const shortName = (type: string) => type.replace(`${PACKAGE}.`, '');

export interface OneNode {
	/** Name of the node type without the package, such as `tag`. */
	node: string;
	/** The node type by its full name. */
	typeOf: (name: string) => INodeType;
	/** The workflow's. */
	id?: string;
	settings?: Partial<INode>;
	/** What n8n has saved for the workflow. */
	staticData?: IDataObject;
	timezone?: string;
}

export function workflowOf(of: OneNode): Workflow {
	const { node, typeOf, id = 'workflow-under-test', settings, staticData, timezone = 'UTC' } = of;
	const definition: INode = {
		id: 'node-under-test',
		name: 'Node Under Test',
		type: `${PACKAGE}.${node}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { siteManagementApi: { id: '1', name: 'Sandbox' } },
		...settings,
	};
	return new Workflow({
		id,
		nodes: [definition],
		connections: {},
		active: false,
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
		staticData,
		settings: { timezone, executionOrder: 'v1' },
	});
}

export const nodeIn = ({ nodes }: Workflow): INode => Object.values(nodes)[0]!;

/** An account, as a credential has it. */
export interface Access {
	baseUrl: string;
	token: string;
	requestsPerMinute?: number | string;
	/** Fields of the credential that limit it. */
	limits?: object;
	/** Runs before the credential is read, as a database takes its time. */
	onRead?: () => Promise<void>;
}

/** Keeps one credential, as n8n's database would, and signs requests as the credential type says. */
export class Credentials extends ICredentialsHelper {
	/** @param access read at each use, because a credential can be saved meanwhile */
	constructor(
		private readonly type: () => ICredentialType,
		private readonly access: Access,
	) {
		super();
	}

	getParentTypes = () => [];

	isCredentialUsableByNode = () => true;

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		options: IHttpRequestOptions,
	) {
		const { authenticate } = this.type();
		if (typeof authenticate !== 'function') throw new Error('Only a function is known');
		return await authenticate(credentials, options);
	}

	preAuthentication = async () => undefined;

	runPreAuthentication = async () => undefined;

	async getDecrypted() {
		await this.access.onRead?.();
		const { baseUrl, token: apiToken, requestsPerMinute = '', limits } = this.access;
		return filledIn({ baseUrl, apiToken, requestsPerMinute, ...limits });
	}

	async getCredentials(): Promise<never> {
		throw new Error('Credentials are kept decrypted here');
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}

	getCredentialsProperties = () => this.type().properties;
}

export const additionalData = (credentialsHelper: ICredentialsHelper) =>
	({
		hooks: new ExecutionLifecycleHooks('manual', '1', {} as IWorkflowBase),
		credentialsHelper,
		formWaitingBaseUrl: 'http://127.0.0.1',
		webhookWaitingBaseUrl: 'http://127.0.0.1',
		currentNodeExecutionIndex: 0,
		variables: {},
	}) as unknown as IWorkflowExecuteAdditionalData;

/** What a list of the editor gets: n8n passes what is set there, saved or not. */
export const optionsIn = (
	workflow: Workflow,
	data: IWorkflowExecuteAdditionalData,
	currentNodeParameters: INodeParameters,
) => new LoadOptionsContext(workflow, nodeIn(workflow), { ...data, currentNodeParameters }, '');
