import { activate, importWorkflow, saveCredential, type Workflow } from '../../sandbox/lib/content';
import type { N8n } from '../../sandbox/lib/n8n';
import type { Service } from '../../sandbox/service';

export const CREDENTIAL = { type: 'siteManagementApi', name: 'Site Management Sandbox' };

/** Saves the credential of a service. @returns its ID */
export const saveAccount = async ({ rest }: N8n, { baseUrl, token: apiToken }: Service) =>
	await saveCredential(rest, { ...CREDENTIAL, data: { baseUrl, apiToken } });

/**
 * A node for a workflow; one of this package gets the credential.
 * @param type of this package where it has no dot
 */
export const nodeOf = (
	credentialId: string,
	name: string,
	type: string,
	parameters: object,
	more: object = {},
) => ({
	id: name,
	name,
	type: type.includes('.') ? type : `n8n-nodes-site-management.${type}`,
	typeVersion: 1,
	position: [0, 0],
	parameters,
	...(!type.includes('.') && {
		credentials: { [CREDENTIAL.type]: { id: credentialId, name: CREDENTIAL.name } },
	}),
	...more,
});

type Node = ReturnType<typeof nodeOf>;

export const chain = (id: string, ...nodes: Node[]): Workflow => {
	const connections = Object.fromEntries(
		nodes
			.slice(0, -1)
			.map(({ name }, index) => [
				name,
				{ main: [[{ node: nodes[index + 1]!.name, type: 'main', index: 0 }]] },
			]),
	);
	return { id, name: id, nodes, connections, settings: {} } as unknown as Workflow;
};

/** Adds a workflow, and activates it. @returns its ID */
export async function addActive({ rest }: N8n, workflow: Workflow): Promise<string> {
	const id = (await importWorkflow(rest, workflow)) ?? workflow.id;
	await activate(rest, id);
	return id;
}

/** The content of a file as text. */
export const AS_TEXT = { mode: 'binaryToJson', setAllData: false, options: { keepAsBase64: true } };

/** Polls this often: n8n refuses an interval below a minute, but not several moments in it. */
export const pollEvery = (seconds: number) => ({
	item: Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	})),
});
