import type { Customer, Invoice } from "./model.ts";
import { toEuros } from "./to_euros.ts";

/** An invoice as a PDF of one page, for the customer. */
export async function printInvoice(invoice: Invoice, customer: Customer): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts } = await import("@cantoo/pdf-lib"); // not before it is needed
  const document = await PDFDocument.create();
  document.setTitle(`Invoice ${invoice.id}`);
  document.setCreationDate(new Date(invoice.issuedOn)); // the same bytes each time
  document.setModificationDate(new Date(invoice.issuedOn));
  const page = document.addPage([595, 842]); // A4
  const font = await document.embedFont(StandardFonts.Helvetica);
  const lines = [
    customer.name,
    customer.email,
    "",
    `Issued on ${invoice.issuedOn}, due on ${invoice.dueOn}`,
    `Amount: ${toEuros(invoice.amountCents)}`,
    invoice.status === "paid" ? "Paid, thank you." : "Please pay.",
    printable(invoice.note),
  ];
  page.drawText(`Invoice ${invoice.id}`, { x: 60, y: 760, size: 24, font });
  page.drawText(lines.join("\n"), { x: 60, y: 720, size: 12, lineHeight: 20, font, maxWidth: 470 });
  return await document.save();
}

/** The font has Latin letters only. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7E\u00A0-\u00FF]/g, "?");
}
