import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Service } from '../service';
import type { ChatServer } from './chatServer';
import {
	activate,
	importWorkflow,
	isSubWorkflow,
	saveCredential,
	withCredentials,
} from './content';
import type { Credential, Workflow } from './content';
import type { Mailbox } from './mailbox';
import type { Connection } from './n8n';

export const examplesFolder = path.join(__dirname, '..', 'workflows');

/** The files of the examples, in order. */
export const exampleFiles = () => readdirSync(examplesFolder).sort();

/** What the examples reach besides n8n's own nodes. */
export interface Outside {
	service: Pick<Service, 'baseUrl' | 'token'>;
	mailbox: Pick<Mailbox, 'smtpPort'>;
	model: Pick<ChatServer, 'baseUrl'>;
}

/** What other agents show to the MCP server of the examples. */
export const MCP_TOKEN = 'sandbox-mcp-token';

/** Who may send the forms of the examples. */
export const FORM_USER = { user: 'office', password: 'sandbox-form-password' };

/** All credentials that the examples name. */
export const exampleCredentials = ({ service, mailbox, model }: Outside): Credential[] => [
	{
		type: 'siteManagementApi',
		name: 'Site Management Sandbox (Read Only)',
		data: { baseUrl: service.baseUrl, apiToken: service.token, access: 'readOnly' },
	},
	{
		type: 'siteManagementApi',
		name: 'Site Management Sandbox (Agent)',
		data: {
			baseUrl: service.baseUrl,
			apiToken: service.token,
			access: 'selected',
			// What the tools of Care and Change need, and no mail, no invitations, nothing that weakens protection.
			allowed: ['organises', 'cares', 'changesSites', 'destroys'],
			maxChanges: 25,
			maxHarmful: 2,
		},
	},
	{
		type: 'siteManagementApi',
		name: 'Site Management Sandbox (Email and Access)',
		data: {
			baseUrl: service.baseUrl,
			apiToken: service.token,
			access: 'selected',
			allowed: ['sendsMail', 'givesAccess'],
			maxChanges: 5,
		},
	},
	// Last: n8n gives a new node the newest one.
	{
		type: 'siteManagementApi',
		name: 'Site Management Sandbox',
		data: { baseUrl: service.baseUrl, apiToken: service.token },
	},
	{
		type: 'smtp',
		name: 'Sandbox Mailbox',
		data: {
			user: '',
			password: '',
			host: '127.0.0.1',
			port: mailbox.smtpPort,
			secure: false,
			disableStartTls: true,
			hostName: '',
		},
	},
	{
		type: 'openAiApi',
		name: 'Sandbox Model',
		data: { apiKey: 'sandbox', url: model.baseUrl },
	},
	{ type: 'httpBearerAuth', name: 'Sandbox MCP Token', data: { token: MCP_TOKEN } },
	{ type: 'httpBasicAuth', name: 'Sandbox Forms', data: FORM_USER },
];

/** The service's address as the examples have it, for its chat, tickets and pages. */
const SERVICE = 'http://127.0.0.1:5679/';

/** An example as it is shipped, for the service where it is. */
export function readExample(file: string, { service }: Pick<Outside, 'service'>): Workflow {
	const text = readFileSync(path.join(examplesFolder, file), 'utf8');
	const here = new URL('/', service.baseUrl).href;
	return JSON.parse(text.replaceAll(SERVICE, here)) as Workflow;
}

/** Saves the credentials of the examples. @returns their ids by name */
export async function saveCredentials(
	n8n: Connection,
	outside: Outside,
): Promise<Record<string, string>> {
	const ids: Record<string, string> = {};
	for (const credential of exampleCredentials(outside)) {
		ids[credential.name] = await saveCredential(n8n.rest, credential);
	}
	return ids;
}

/** Puts the examples and their credentials into an n8n. @returns the names of those that were not there yet */
export async function addExamples(n8n: Connection, outside: Outside): Promise<string[]> {
	const ids = await saveCredentials(n8n, outside);
	const added: string[] = [];
	const toPublish = new Map<string, Workflow>();
	// Last first: n8n lists what was saved last at the top.
	for (const file of exampleFiles().reverse()) {
		const workflow = withCredentials(readExample(file, outside), ids);
		const id = await importWorkflow(n8n.rest, workflow);
		if (id === undefined) continue;
		if (isSubWorkflow(workflow)) toPublish.set(id, workflow);
		added.unshift(workflow.name);
	}
	// First those that are called: n8n may refuse to publish what calls an unpublished one.
	for (const id of calledFirst(toPublish)) await activate(n8n.rest, id);
	return added;
}

/** The files of the examples, each after those that it calls: so they can be added one after the other. */
export function exampleFilesCalledFirst(): string[] {
	const workflows = new Map<string, Workflow>();
	const files = new Map<string, string>();
	for (const file of exampleFiles()) {
		const text = readFileSync(path.join(examplesFolder, file), 'utf8');
		const workflow = JSON.parse(text) as Workflow;
		workflows.set(workflow.id, workflow);
		files.set(workflow.id, file);
	}
	return calledFirst(workflows).map((id) => files.get(id)!);
}

/** The IDs of workflows, each after those that it calls. */
function calledFirst(workflows: ReadonlyMap<string, Workflow>): string[] {
	const ordered = new Set<string>();
	const add = (id: string, workflow: Workflow) => {
		const text = JSON.stringify(workflow.nodes);
		for (const [other, called] of workflows) {
			if (other !== id && text.includes(`"${other}"`)) add(other, called);
		}
		ordered.add(id);
	};
	for (const [id, workflow] of workflows) add(id, workflow);
	return [...ordered];
}
