import { isAxiosError } from 'axios';
import type { AxiosInstance, AxiosResponse } from 'axios';
import { UserError } from './errors';
import { waitFor } from './wait';

/** What is put into an n8n through its internal REST API. */

export interface Owner {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
}

export interface Credential {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

export interface Workflow {
	id: string;
	name: string;
	nodes: Array<{
		name: string;
		type: string;
		parameters: Record<string, unknown>;
		credentials?: Record<string, { id: string; name: string }>;
	}>;
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
}

interface Listed {
	id: string;
	name: string;
	type: string;
}

/** Signs the client in as the owner, who is created first in an n8n that has none. */
export async function signIn(rest: AxiosInstance, owner: Owner): Promise<void> {
	const settings = await rest.get<{
		data: { userManagement: { showSetupOnFirstLoad: boolean } };
	}>('/settings');
	const { email, password } = owner;
	const answer = settings.data.data.userManagement.showSetupOnFirstLoad
		? await rest.post('/owner/setup', owner)
		: await rest.post('/login', { emailOrLdapLoginId: email, password }).catch((error: unknown) => {
				if (!isAxiosError(error) || error.response?.status !== 401) throw error;
				throw new UserError(
					`n8n does not accept the sandbox's password of ${email}. If you changed it in n8n, write the new one into the file "password" of the data folder. Or start with --reset to begin again.`,
				);
			});
	keepCookies(rest, answer);
}

/** What n8n tells a client who has signed in. */
export function keepCookies(rest: AxiosInstance, { headers }: AxiosResponse): void {
	const cookies = (headers['set-cookie'] as string[] | undefined) ?? [];
	rest.defaults.headers.common.Cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** The fields by which a credential leads to the sandbox. */
const ADDRESS = ['baseUrl', 'apiToken', 'url', 'host', 'port'];

/**
 * Creates the credential. In one of that name everything stays as the user has set it, except an address on this
 * machine, which may be another one at each start.
 * @returns its id
 */
export async function saveCredential(rest: AxiosInstance, credential: Credential): Promise<string> {
	const { name, type, data } = credential;
	const list = await rest.get<{ data: Listed[] }>('/credentials');
	const found = list.data.data.find((one) => one.name === name && one.type === type);
	if (!found) {
		const created = await rest.post<{ data: Listed }>('/credentials', credential);
		return created.data.data.id;
	}
	const answer = await rest.get<{ data: { data: Record<string, unknown> } }>(
		`/credentials/${found.id}`,
		{ params: { includeData: true } },
	);
	const current = answer.data.data.data;
	const { baseUrl, url, host } = current;
	if (!/^(http:\/\/)?(127\.0\.0\.1|localhost)\b/.test(String(baseUrl ?? url ?? host)))
		return found.id;
	const address = Object.entries(data).filter(([field]) => ADDRESS.includes(field));
	const merged = { ...current, ...Object.fromEntries(address) };
	await rest.patch(`/credentials/${found.id}`, { name, type, data: merged });
	return found.id;
}

/** The credentials of the workflow by their names: each node gets the id that they have in this n8n. */
export function withCredentials(workflow: Workflow, ids: Record<string, string>): Workflow {
	const nodes = workflow.nodes.map(({ credentials, ...node }) => ({
		...node,
		...(credentials && {
			credentials: Object.fromEntries(
				Object.entries(credentials).map(([type, { id, name }]) => [
					type,
					{ id: ids[name] ?? id, name },
				]),
			),
		}),
	}));
	return { ...workflow, nodes };
}

/**
 * Adds the workflow unless one with its id is there already: that one may hold the user's edits.
 * @returns the id that it has got, which n8n 1 chooses itself; undefined when it was there
 */
export async function importWorkflow(
	rest: AxiosInstance,
	workflow: Workflow,
): Promise<string | undefined> {
	const found = await rest.get(`/workflows/${workflow.id}`, {
		validateStatus: (status) => status === 200 || status === 403 || status === 404,
	});
	if (found.status === 200) return undefined;
	// An older n8n wants to be told that it is not active.
	const created = await rest.post<{ data: Listed }>('/workflows', { active: false, ...workflow });
	return created.data.data.id;
}

/** Activates a workflow and waits until n8n has really done so. */
export async function activate(rest: AxiosInstance, workflowId: string): Promise<void> {
	const { data } = await rest.get<{ data: { versionId: string } }>(`/workflows/${workflowId}`);
	const { versionId } = data.data;
	await rest.post(`/workflows/${workflowId}/activate`, { versionId });
	// The answer above may come before the triggers are really on.
	await waitFor(
		'the activation',
		async () => {
			const answer = await rest.get<{ data: { status: string } }>(
				`/workflows/${workflowId}/publication-status`,
				{ validateStatus: (status) => status === 200 || status === 404 },
			);
			// An older n8n has no such status: its answer above comes after the triggers are on.
			if (answer.status === 404) return true;
			const { status } = answer.data.data;
			if (status === 'failed' || status === 'partial') {
				throw new Error(`Activation failed: ${JSON.stringify(answer.data)}`);
			}
			return status === 'published' ? true : undefined;
		},
		120_000,
	);
}

/** The nodes that start a workflow. */
export const triggersOf = ({ nodes }: Workflow) =>
	nodes.filter(({ type }) => /(trigger|[.]webhook)$/i.test(type));

/** Whether only other workflows start it: n8n 2 then wants it published, even where the caller is only tried. */
export const isSubWorkflow = (workflow: Workflow) =>
	triggersOf(workflow).every(({ type }) => type === 'n8n-nodes-base.executeWorkflowTrigger');
