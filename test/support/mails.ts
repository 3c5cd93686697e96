import axios from 'axios';
import type { Mail } from '../../sandbox/lib/mailbox';
import { until } from './until';

/** n8n leaves approvals to people: it takes what calls itself no browser for a program that looks at them. */
export const BROWSER = {
	'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
};

const buttonsIn = (html: string) =>
	new Map(
		[...html.matchAll(/<a\s+href="([^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, url, label]) => [
			label!,
			url!.replaceAll('&amp;', '&'),
		]),
	);

export const linkOf = ({ html }: Mail, button: string) => buttonsIn(html!).get(button)!;

export async function press(mail: Mail, button: string): Promise<void> {
	const url = linkOf(mail, button);
	const options = { headers: BROWSER, proxy: false, validateStatus: () => true } as const;
	// The mail is there shortly before the execution waits for its answer.
	await until('the answer to be taken', async () =>
		/Got it/.test((await axios.get<string>(url, options)).data),
	);
}
