import { randomUUID } from 'node:crypto';
import axios from 'axios';
import { WebSocket } from 'ws';
import type { N8n } from '../../sandbox/lib/n8n';
import { BROWSER } from './mails';
import { until } from './until';

/** The chat of n8n's editor, as far as a person uses it: it asks, reads what comes, and clicks buttons. */

/** What n8n sends besides messages. */
const SIGNALS = { heartbeat: 'n8n|heartbeat', alive: 'n8n|heartbeat-ack', goesOn: 'n8n|continue' };

function messageOf(data: string) {
	const { text, buttons = [] } = (data.startsWith('{') ? JSON.parse(data) : { text: data }) as {
		text: string;
		buttons?: Array<{ text: string; link: string }>;
	};
	return {
		text,
		/** The labels of the buttons below it. */
		buttons: buttons.map((each) => each.text),
		/** Clicks the button of that label. */
		async click(label: string) {
			const { link } = buttons.find((each) => each.text === label)!;
			await axios.get(link, { proxy: false, headers: BROWSER });
		},
	};
}

/** Says something in a chat of n8n's editor. @returns where the answers come */
export async function say(
	{ rest, baseUrl }: N8n,
	workflowId: string,
	trigger: string,
	chatInput: string,
	sessionId: string = randomUUID(),
) {
	await rest.post(
		`/workflows/${workflowId}/run`,
		{ triggerToStartFrom: { name: trigger }, chatSessionId: sessionId },
		{ headers: { 'push-ref': sessionId } },
	);
	const { data } = await axios.post<{ executionId: string; resumeToken?: string }>(
		`${baseUrl}/webhook-test/${workflowId}/${sessionId}`,
		{ action: 'sendMessage', sessionId, chatInput },
		{ proxy: false },
	);
	return data;
}

/** Opens a chat with a workflow. @returns what asks in it: all in one conversation, one after the other */
export function openChat(n8n: N8n, workflowId: string, trigger: string) {
	const sessionId = randomUUID();
	return async (chatInput: string) => {
		const begun = await say(n8n, workflowId, trigger, chatInput, sessionId);
		const { executionId, resumeToken: token } = begun;
		const query = new URLSearchParams({ sessionId, executionId, ...(token && { token }) });
		const socket = new WebSocket(`${n8n.baseUrl.replace('http', 'ws')}/chat?${query}`);
		const come: Array<ReturnType<typeof messageOf>> = [];
		socket.on('message', (raw: Buffer) => {
			const text = raw.toString('utf8');
			if (text === SIGNALS.heartbeat) socket.send(SIGNALS.alive);
			else if (text !== SIGNALS.goesOn) come.push(messageOf(text));
		});
		return {
			executionId,
			/** The next message that has come; n8n sends one every few seconds at most. */
			next: async () => await until('a message in the chat', () => come.shift()),
		};
	};
}
