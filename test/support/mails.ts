import axios from 'axios';
import type { Mail } from '../../sandbox/lib/mailbox';
import { until } from './until';

/** What a person does with the mails of the examples. */

/** n8n leaves approvals to people: it takes what calls itself no browser for a program that looks at them. */
export const BROWSER = {
	'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
};

/** The links of the buttons in a mail, by their labels. */
const buttonsIn = (html: string) =>
	new Map(
		[...html.matchAll(/<a\s+href="([^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, url, label]) => [
			label!,
			url!.replaceAll('&amp;', '&'),
		]),
	);

/** The link of a button. */
export const linkOf = ({ html }: Mail, button: string) => buttonsIn(html!).get(button)!;

/** Chooses a button of a mail, as a person does in the browser. */
export async function press(mail: Mail, button: string): Promise<void> {
	const url = linkOf(mail, button);
	const options = { headers: BROWSER, proxy: false, validateStatus: () => true } as const;
	// The mail is there shortly before the execution waits for its answer.
	await until('the answer to be taken', async () =>
		/Got it/.test((await axios.get<string>(url, options)).data),
	);
}
