import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axios from 'axios';
import { loading, startChild } from './child';
import type { Child } from './child';

const READY_TIMEOUT_MS = 30_000;

export interface MailboxOptions {
	smtpPort: number;
	/** Of the inbox in the browser. */
	webPort: number;
	/** Keeps the mails. */
	folder: string;
	logFile: string;
}

interface Attachment {
	fileName: string;
	/** As the inbox serves it. */
	generatedFileName: string;
	contentType: string;
	length: number;
}

/** A mail as the inbox tells of it. */
export interface Mail {
	id: string;
	subject: string;
	from: Array<{ address: string }>;
	to: Array<{ address: string }>;
	text?: string;
	html?: string;
	attachments?: Attachment[];
}

export interface Mailbox extends Child {
	smtpPort: number;
	url: string;
	/** All mails that have arrived, oldest first. */
	mails(): Promise<Mail[]>;
	/** The content of an attached file. */
	file(mail: Mail, attachment: Attachment): Promise<Buffer>;
}

/** Starts a mail server that keeps all mails, whoever they are for, and shows them in the browser. */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
	const { smtpPort, webPort, folder, logFile } = options;
	mkdirSync(folder, { recursive: true });
	const child = startChild({
		name: 'The mailbox',
		command: process.execPath,
		args: [
			...loading('guardMailbox.mjs'),
			path.join(path.dirname(require.resolve('maildev/package.json')), 'bin', 'maildev'),
			...['--ip', '127.0.0.1', '--smtp', String(smtpPort), '--web', String(webPort)],
			...['--mail-directory', folder],
		],
		cwd: folder,
		// Settings of the user's own could send the mails on into the world.
		env: Object.fromEntries(
			Object.entries(process.env).filter(([name]) => !/^MAILDEV_/.test(name)),
		),
		logFile,
	});
	const url = `http://127.0.0.1:${webPort}`;
	await child.ready(`${url}/healthz`, READY_TIMEOUT_MS);
	const web = axios.create({ baseURL: url, proxy: false });
	return {
		...child,
		smtpPort,
		url,
		mails: async () => (await web.get<Mail[]>('/email')).data,
		async file({ id }, { generatedFileName: name }) {
			const options = { responseType: 'arraybuffer' } as const;
			const { data } = await web.get<ArrayBuffer>(`/email/${id}/attachment/${name}`, options);
			return Buffer.from(data);
		},
	};
}
