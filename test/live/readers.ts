import type { INode } from 'n8n-workflow';
import { checkFile } from '../../nodes/shared/receive/file';
import { pageOf, recordsOf, WrongAnswer } from '../../nodes/shared/receive/answer';
import { statusError } from '../../nodes/shared/receive/errors';
import type { Operation } from '../../nodes/shared/operation';
import type { ApiResponse } from '../../nodes/shared/transport/context';
import type { Answer } from './guard';

/** The nodes' own readers, called as the nodes call them: the one file here that knows their signatures. */

const responseOf = ({ status, headers, body }: Answer): ApiResponse =>
	({ statusCode: status, headers, body }) as ApiResponse;

/** Why the node of an operation would refuse a successful answer; nothing when it takes it. */
export function refusalOf({ answer: expected }: Operation, answer: Answer): string | undefined {
	const response = responseOf(answer);
	try {
		if (expected.kind === 'file') checkFile(response, expected.file);
		else if (expected.kind === 'list') pageOf(expected.wrapper, response);
		else recordsOf(expected, response);
		return undefined;
	} catch (error) {
		if (error instanceof WrongAnswer) return error.message;
		throw error;
	}
}

/** Whether a node tells the reason that an error gives. */
export function tellsReason(answer: Answer): boolean {
	const node = { name: 'Check', type: 'check', typeVersion: 1 } as INode;
	const errand = { secrets: [], isChange: false, path: '', look: '', baseUrl: '' };
	const { message, description } = statusError(node, responseOf(answer), errand);
	const told = `${message} ${description ?? ''}`;
	return textsIn(answer.body).some((text) => told.includes(text.slice(0, 40)));
}

/** The sentences in a body. */
function textsIn(body: unknown): string[] {
	if (typeof body === 'string') return /\S\s+\S/.test(body) ? [body.trim()] : [];
	if (typeof body !== 'object' || body === null) return [];
	return Object.values(body).flatMap(textsIn);
}
