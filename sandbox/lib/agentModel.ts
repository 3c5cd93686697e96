import { startChatServer, textOf } from './chatServer';
import type { ChatRequest, ChatServer, Message, Tool } from './chatServer';

/*
 * A chat server for the example agent that any node for OpenAI-compatible models can use, so that the agent can be
 * tried without a model: it understands a few requests by rules, calls the tools that it is offered, and puts what
 * they give into a sentence.
 */

/** What the model says next: a sentence, or a tool that it wants called, with what an approval shows besides. */
type Next =
	string | { tool: string; with: Record<string, unknown>; review?: Record<string, unknown> };

type Row = Record<string, unknown>;

/** What has been asked, and what the tools have given for it so far. */
interface Turn {
	request: string;
	/** The records that a tool has given; undefined while it has not been called. */
	rows(tool: string): Row[] | undefined;
	/** What the last tool has told in place of records: that it failed, or that a person has declined it. */
	refusal: string | undefined;
}

interface Rule {
	pattern: RegExp;
	/** How a person asks for it. */
	example: string;
	next(turn: Turn, match: RegExpMatchArray): Next;
}

/** What the tools of the example are called. */
export const TOOLS = {
	sites: 'List_sites',
	site: 'Get_a_site',
	tasks: 'List_tasks',
	snapshots: 'List_snapshots',
	backUp: 'Back_up_a_site',
	note: 'Add_a_note',
};

const MOST_SHOWN = 10;

const listed = (rows: Row[], line: (row: Row) => string) => {
	const more = rows.length - MOST_SHOWN;
	const lines = rows.slice(0, MOST_SHOWN).map((row) => `- ${line(row)}`);
	return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
};

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Goes on with the one site that a person means by its address, or a part of it. */
function withSite(turn: Turn, wanted: string, next: (site: Row) => Next): Next {
	if (wanted.startsWith('https://')) return next({ url: wanted, title: '' });
	const found = turn.rows(TOOLS.sites);
	if (!found) return { tool: TOOLS.sites, with: { url_contains: wanted, limit: MOST_SHOWN } };
	if (found.length === 0) return `No site has “${wanted}” in its address.`;
	if (found.length === 1) return next(found[0]!);
	const urls = listed(found, ({ url }) => String(url));
	return `Which one? ${counted(found.length, 'site')} have “${wanted}” in the address:\n${urls}`;
}

const STATES: Record<string, Record<string, string>> = {
	disconnected: { connection: 'disconnected' },
	connected: { connection: 'connected' },
	down: { uptime: 'down' },
	up: { uptime: 'up' },
	hacked: { malware: 'hacked' },
	clean: { malware: 'clean' },
};

const stated = Object.keys(STATES).join('|');

const rules: Rule[] = [
	{
		pattern: new RegExp(`\\bsites? (?:are|is) (${stated})\\b`, 'i'),
		example: 'Which sites are disconnected? (or down, or hacked)',
		next(turn, [, word]) {
			const state = word!.toLowerCase();
			const rows = turn.rows(TOOLS.sites);
			if (!rows) return { tool: TOOLS.sites, with: { ...STATES[state], limit: 100 } };
			if (rows.length === 0) return `No site is ${state}.`;
			const lines = listed(rows, ({ title, url }) => `${String(title)} (${String(url)})`);
			return `${counted(rows.length, 'site')} ${rows.length === 1 ? 'is' : 'are'} ${state}:\n${lines}`;
		},
	},
	{
		pattern: /^(?:tell me about|show) (?:the site )?(\S+?)[.?]?$/i,
		example: 'Tell me about example.com',
		next: (turn, [, wanted]) =>
			withSite(turn, wanted!, ({ url }) => {
				const [site] = turn.rows(TOOLS.site) ?? [];
				if (!site) return { tool: TOOLS.site, with: { site_url: url } };
				const facts = Object.entries(site).map(([name, value]) => ({ name, value }));
				return `${String(site.title)}:\n${facts.map(({ name, value }) => `- ${name}: ${String(value)}`).join('\n')}`;
			}),
	},
	{
		pattern: /\btasks (?:are|have) (running|failed|completed)\b/i,
		example: 'Which tasks have failed? (or are running)',
		next(turn, [, status]) {
			const rows = turn.rows(TOOLS.tasks);
			if (!rows) return { tool: TOOLS.tasks, with: { status: status!.toLowerCase(), limit: 20 } };
			const lines = listed(
				rows,
				({ type_name: type, started_at: at }) => `${String(type)} of ${String(at)}`,
			);
			return `${counted(rows.length, 'task')} of the newest 20 at most:\n${lines}`;
		},
	},
	{
		pattern: /\bsnapshots (?:of|has) (\S+?)[.?]?$/i,
		example: 'List the snapshots of example.com',
		next: (turn, [, wanted]) =>
			withSite(turn, wanted!, ({ url }) => {
				const rows = turn.rows(TOOLS.snapshots);
				if (!rows) return { tool: TOOLS.snapshots, with: { site_url: url, limit: MOST_SHOWN } };
				const lines = listed(
					rows,
					({ created_at: at, status }) => `${String(at)}, ${String(status)}`,
				);
				return `${counted(rows.length, 'snapshot')} of ${String(url)}:\n${lines}`;
			}),
	},
	{
		pattern: /^(?:back up|sync) (?:the site )?(\S+?)[.!]?$/i,
		example: 'Back up example.com (asks for your approval first)',
		next: (turn, [, wanted]) =>
			withSite(turn, wanted!, ({ url, title, last_backup_at: at }) =>
				turn.rows(TOOLS.backUp)
					? `The backup of ${String(url)} has been started.`
					: {
							tool: TOOLS.backUp,
							with: { site_url: url, message: 'Asked for in the chat' },
							review: {
								site_title: title,
								now: at ? `The last good backup is of ${String(at)}` : 'No good backup is known',
							},
						},
			),
	},
	{
		pattern: /^(?:add a )?note (?:on|to) (\S+?): (.+)$/is,
		example: 'Note on example.com: ask the owner before updating (asks for your approval first)',
		next: (turn, [, wanted, content]) =>
			withSite(turn, wanted!, ({ url, title }) =>
				turn.rows(TOOLS.note)
					? `The note is on ${String(url)} now.`
					: {
							tool: TOOLS.note,
							with: { site_url: url, content },
							review: { site_title: title },
						},
			),
	},
];

const help = [
	'I am no model but a few rules, so that you can try the agent. I understand:',
	...rules.map(({ example }) => `- ${example}`),
].join('\n');

/** Items beside the records: that there are none, how many there are more, that their texts are data. */
const isNotice = (item: unknown) => {
	const { count, returned, texts } = item as Row;
	return count === 0 || returned !== undefined || texts !== undefined;
};

/** What a tool has given: records, or something told in place of them. */
export function readResult(content: string): { rows: Row[] } | { told: string } {
	let list: unknown[];
	try {
		list = [JSON.parse(content) as unknown].flat();
	} catch {
		return { told: content };
	}
	const told = list.map((each) => {
		if (typeof each !== 'object' || each === null) return String(each);
		const { error, output, details: _details, ...record } = each as Row;
		// A record can have an error of its own, as a failed snapshot has.
		return Object.keys(record).length === 0 ? (error ?? output) : undefined;
	});
	const first = told.find((text) => text !== undefined);
	if (first !== undefined) return { told: String(first) };
	return { rows: (list as Row[]).filter((item) => !isNotice(item)) };
}

/** What has happened since a person spoke last. */
function turnOf(messages: Message[]): Turn {
	const asked = messages.map(({ role }) => role).lastIndexOf('user');
	const since = messages.slice(asked + 1);
	const calls = since.flatMap(({ tool_calls: made }) => made ?? []);
	const results = since
		.filter(({ role }) => role === 'tool')
		.map((message) => {
			const call = calls.find(({ id }) => id === message.tool_call_id);
			return { tool: call?.function.name, result: readResult(textOf(message)) };
		});
	const last = results.at(-1)?.result;
	return {
		request: messages[asked] ? textOf(messages[asked]).trim() : '',
		rows(tool) {
			const found = results.find((each) => each.tool === tool)?.result;
			return found && 'rows' in found ? found.rows : undefined;
		},
		refusal: last && 'told' in last ? last.told : undefined,
	};
}

/** What the rules say to a conversation. */
function answer({ messages, tools = [] }: ChatRequest): Next {
	const turn = turnOf(messages);
	if (turn.refusal !== undefined) {
		return turn.refusal.startsWith('User rejected')
			? 'You have declined it: nothing was changed.'
			: `That did not work: ${turn.refusal}`;
	}
	for (const { pattern, next } of rules) {
		const match = pattern.exec(turn.request);
		if (!match) continue;
		const said = next(turn, match);
		if (typeof said === 'string' || tools.some((tool) => tool.function.name === said.tool)) {
			return said;
		}
		return `I have no tool “${said.tool}”.`;
	}
	return help;
}

/** The arguments as the tool wants them: one behind an approval takes those of both. */
function argumentsFor(said: Exclude<Next, string>, tools: Tool[] = []) {
	const { parameters } = tools.find((tool) => tool.function.name === said.tool)!.function;
	return parameters?.properties?.toolParameters
		? { toolParameters: said.with, hitlParameters: said.review ?? {} }
		: said.with;
}

/** Starts the model on loopback. @param port 0 for any free one */
export async function startAgentModel(port = 0): Promise<ChatServer> {
	const say = (request: ChatRequest) => {
		const said = answer(request);
		if (typeof said === 'string') return said;
		return [{ tool: said.tool, with: argumentsFor(said, request.tools) }];
	};
	return await startChatServer('sandbox-rules', say, port);
}
