import PdfDocument from 'pdfkit';

/** The bytes of a PDF. */
export async function pdfBytes(
	options: PDFKit.PDFDocumentOptions,
	write: (document: PDFKit.PDFDocument) => void,
): Promise<Buffer> {
	const document = new PdfDocument({ size: 'A4', ...options });
	const chunks: Buffer[] = [];
	const done = new Promise<Buffer>((resolve, reject) => {
		document.on('data', (chunk: Buffer) => chunks.push(chunk));
		document.on('end', () => resolve(Buffer.concat(chunks)));
		document.on('error', reject);
	});
	write(document);
	document.end();
	return await done;
}
