import { Readable } from 'node:stream';
import type { INode } from 'n8n-workflow';
import type { Operation } from '../../nodes/shared/operation/index';
import { recordsOf, WrongAnswer } from '../../nodes/shared/receive/answer';
import { statusError } from '../../nodes/shared/receive/errors';
import { checkFile } from '../../nodes/shared/receive/file';
import { pageOf } from '../../nodes/shared/client/records';
import type { ApiResponse } from '../../nodes/shared/n8n/context';
import type { Answer } from './guard';

/** The nodes' own readers, called as the nodes call them: the one file here that knows their signatures. */

const responseOf = ({ status, headers, body }: Answer): ApiResponse =>
	({ statusCode: status, headers, body }) as ApiResponse;

/** What a node does with a successful answer. */
export interface Taken {
	/** Why it would refuse it; nothing when it takes it. */
	refusal?: string;
	/** How its form differs from the reference, where the node accepts it from the service alone. */
	difference?: string;
}

interface Asked {
	path: string;
	query: Record<string, string>;
}

export function takenAs(operation: Operation, answer: Answer, asked: Asked): Taken {
	const refusal = refusalOf(operation, answer, asked);
	if (refusal !== undefined) return { refusal };
	// From anybody else, a node accepts only the form of the reference.
	return { difference: refusalOf(operation, { ...answer, headers: foreign(answer) }, asked) };
}

const foreign = ({ headers }: Answer) =>
	Object.fromEntries(Object.entries(headers).filter(([name]) => !/^x-ratelimit-/i.test(name)));

/** Why a node refuses a successful answer. */
function refusalOf({ answer: expected, route }: Operation, answer: Answer, { path, query }: Asked) {
	const response = responseOf(answer);
	try {
		if (expected.kind === 'file') {
			const body = Readable.from([Buffer.from(String(answer.body))]);
			checkFile({ ...response, body } as ApiResponse, expected.file.mediaType);
		} else if (expected.kind === 'list') {
			const { page = 1, perPage = 100 } = query;
			pageOf(expected.wrapper, response, { page: Number(page), perPage: Number(perPage) });
		} else {
			const lastId = route.endsWith('}') ? path.split('/').pop() : undefined;
			recordsOf(expected, response, { lastId, isRead: true });
		}
		return undefined;
	} catch (error) {
		if (error instanceof WrongAnswer) return error.message;
		throw error;
	}
}

/** Whether a node tells the reason that an error gives. */
export function tellsReason(answer: Answer): boolean {
	const node = { name: 'Check', type: 'check', typeVersion: 1 } as INode;
	const errorContext = { secrets: [], isChange: false, path: '', verifyAt: '', baseUrl: '' };
	const { message, description } = statusError(node, responseOf(answer), errorContext);
	const told = `${message} ${description ?? ''}`;
	return textsIn(answer.body).some((text) => told.includes(text.slice(0, 40)));
}

function textsIn(body: unknown): string[] {
	if (typeof body === 'string') return /\S\s+\S/.test(body) ? [body.trim()] : [];
	if (typeof body !== 'object' || body === null) return [];
	return Object.values(body).flatMap(textsIn);
}
