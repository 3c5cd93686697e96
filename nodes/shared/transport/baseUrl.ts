import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Gives the base URL without trailing slashes.
 * @throws NodeOperationError when it is blank, no URL, or would send the token unencrypted to another host
 */
export function checkBaseUrl(node: INode, baseUrl: unknown): string {
	const text = String(baseUrl ?? '').trim();
	const fail = (message: string) =>
		new NodeOperationError(node, message, {
			description:
				"Open the node's credential and set Base URL to the address of the service with its version segment, such as https://api.example.com/api/v6.",
		});
	if (!text) throw fail('The Base URL of the credential is empty');
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw new NodeOperationError(
			node,
			fail(`The Base URL of the credential is not a URL: ${text}`),
		);
	}
	const encrypted = url.protocol === 'https:';
	if (!encrypted && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
		throw fail('The Base URL of the credential must start with https://');
	}
	if (url.search || url.hash || url.username) {
		throw fail('The Base URL of the credential must be a plain address without ?, # or user name');
	}
	return text.replace(/\/+$/, '');
}
