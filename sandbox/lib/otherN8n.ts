import { isAxiosError } from 'axios';
import { keepCookies } from './content';
import { UserError } from './errors';
import { connect } from './n8n';
import type { Connection } from './n8n';

/** An n8n that runs already, such as one in a container, or of a version that cannot be installed here. */

/** What it is signed in with; nothing where the user enters by hand what the sandbox would. */
export const signInOf = ({ N8N_EMAIL: email = '', N8N_PASSWORD: password = '' }) =>
	email && password ? { email, password } : undefined;

/** Signs in to the n8n at an address. @throws UserError where nobody is there, or it refuses */
export async function signInTo(
	url: string,
	{ email, password }: { email: string; password: string },
): Promise<Connection> {
	const n8n = connect(url.replace(/\/+$/, ''));
	try {
		keepCookies(n8n.rest, await n8n.rest.post('/login', { emailOrLdapLoginId: email, password }));
	} catch (error) {
		if (!isAxiosError(error)) throw error;
		throw new UserError(
			error.response?.status === 401
				? `n8n at ${url} does not accept the email and password. Check N8N_EMAIL and N8N_PASSWORD.`
				: `n8n at ${url} does not answer as expected (${error.message}). Is it the address of its editor?`,
		);
	}
	return n8n;
}

/**
 * Looks at that n8n before anything is added.
 * @param tarball of the package, to be installed there
 * @throws UserError where the nodes are not there, or the examples cannot be
 */
export async function requireNodes({ baseUrl, rest }: Connection, tarball: string): Promise<void> {
	const settings = await rest.get<{ data: { versionCli: string } }>('/settings');
	const { versionCli } = settings.data.data;
	// It gives each workflow another ID, by which those that call it do not find it.
	if (Number.parseInt(versionCli, 10) < 2) {
		throw new UserError(
			`n8n at ${baseUrl} is version ${versionCli}, and the examples need n8n 2 or later. Update it, or leave out --n8n: the sandbox then installs an n8n of its own.`,
		);
	}
	const nodeInfos = [{ name: 'n8n-nodes-site-management.site', version: 1 }];
	const { status } = await rest.post(
		'/node-types',
		{ nodeInfos },
		{ validateStatus: (each) => each === 200 || each === 400 },
	);
	if (status === 200) return;
	throw new UserError(
		`The nodes are not installed in n8n at ${baseUrl}. Run "npm install ${tarball}" in its folder ~/.n8n/nodes, restart it, and start again.`,
	);
}
